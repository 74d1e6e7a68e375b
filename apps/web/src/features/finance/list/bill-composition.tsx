import type { Bill } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { groupColours } from '../words.ts';
import styles from './finance.module.css';

/** The parts of a bill that have a length in the bar; credits have none. */
const partsOf = ({ groups }: Bill) => groups.filter(({ amount_minor: amount }) => amount > 0);
const lengthOf = (bill: Bill): number =>
  partsOf(bill).reduce((sum, { amount_minor: amount }) => sum + amount, 0);

/** The longest bar of each currency, so that bars can be compared. */
export const maxTotals = (bills: readonly Bill[] = []): ReadonlyMap<string, number> => {
  const maxTotal = new Map<string, number>();
  for (const bill of bills)
    maxTotal.set(bill.currency, Math.max(lengthOf(bill), maxTotal.get(bill.currency) ?? 0));
  return maxTotal;
};

/** The parts of a bill as a bar of its groups. `maxTotal`: the amount of a full bar. */
export const BillComposition = ({ bill, maxTotal }: { bill: Bill; maxTotal: number | undefined }) => {
  const { groups, currency } = bill;
  const { t } = useTranslation();
  const format = useFormat();
  const whole = lengthOf(bill);
  const words = groups
    .map(({ group, amount_minor }) =>
      t('finance.part', {
        name: t(`finance.groups.${group}`),
        amount: format.money({ currency, amount_minor }),
      }),
    )
    .join(' · ');
  if (whole === 0) return '—';
  return (
    <span
      aria-label={words}
      className={styles['made']}
      role="img"
      style={{ inlineSize: `${(whole / (maxTotal ?? whole)) * 100}%` }}
      title={words}
    >
      {partsOf(bill).map(({ group, amount_minor: amount }) => (
        <span
          key={group}
          style={{ background: `var(--${groupColours[group]})`, inlineSize: `${(amount / whole) * 100}%` }}
        />
      ))}
    </span>
  );
};
