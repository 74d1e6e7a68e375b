import type { Amount } from '@simcube/contract/price';
import { useFormat } from '../../lib/format/index.ts';

/** An amount of money in its currency; a dash if there is none. */
export const Money = ({ amount }: { amount: Amount | null }) => {
  const format = useFormat();
  return amount === null ? '—' : format.money(amount);
};
