import styles from './failure.module.css';

/** Why what the person entered or ordered was not accepted. */
export const Refusal = ({ reason }: { reason: string | undefined }) =>
  reason === undefined ? null : (
    <p className={styles['refusal']} role="alert">
      {reason}
    </p>
  );
