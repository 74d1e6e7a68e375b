import type { Bill } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { groupColours } from '../words.ts';
import styles from './finance.module.css';

/** What a bill is made of, as a bar of its groups. */
export const MadeOf = ({ bill: { groups, currency } }: { bill: Bill }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = groups.filter(({ amount_minor: amount }) => amount > 0);
  const whole = shown.reduce((sum, { amount_minor: amount }) => sum + amount, 0);
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
    <span aria-label={words} className={styles['made']} role="img" title={words}>
      {shown.map(({ group, amount_minor: amount }) => (
        <span
          key={group}
          style={{ background: `var(--${groupColours[group]})`, inlineSize: `${(amount / whole) * 100}%` }}
        />
      ))}
    </span>
  );
};
