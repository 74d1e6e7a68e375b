import styles from '../developer.module.css';

/** An HTTP code, coloured by its class beside being read. */
export const HttpCode = ({ code }: { code: number }) => (
  <code className={styles['code']} data-class={Math.floor(code / 100)}>
    {code}
  </code>
);
