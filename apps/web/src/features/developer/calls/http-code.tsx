import styles from '../developer.module.css';

/** An HTTP status code, also coloured by its class. */
export const HttpCode = ({ code }: { code: number }) => (
  <code className={styles['code']} data-class={Math.floor(code / 100)}>
    {code}
  </code>
);
