import { useFormat } from '../../../lib/format/index.ts';
import styles from './bill.module.css';

/** By how much an amount changed, with its sign; lower ones are coloured as good. */
export const Difference = ({ currency, minor }: { currency: string; minor: number }) => {
  const { signedMoney } = useFormat();
  return (
    <b className={styles['difference']} data-change={minor < 0 ? 'less' : minor > 0 ? 'more' : undefined}>
      {signedMoney({ currency, amount_minor: minor })}
    </b>
  );
};
