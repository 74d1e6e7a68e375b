import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import styles from './amount-list.module.css';
import type { Amounts } from './use-amounts.ts';

export interface AmountRow {
  key: string;
  name: ReactNode;
  /** Null if nothing is counted. */
  amount: number | null;
  compared: number | null;
  before: number | null;
  sims: number | null;
  sessions: number | null;
}

export interface AmountListProps {
  title: string;
  /** Heading of the names. */
  of: string;
  rows: readonly AmountRow[];
  amounts: Amounts;
  /** Name of the comparison; empty without one. */
  compared: string;
  /** Text of the button that shows the remaining rows. */
  more: (count: number) => string;
}

const initialCount = 8;

/** The map's data as a table, largest first. */
export const AmountList = ({ title, of, rows, amounts, compared, more }: AmountListProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const counted = (number: number | null) => (number === null ? t('common.states.none') : count(number));
  const [showsAll, setShowsAll] = useState(false);
  const max = Math.max(1, ...rows.map(({ amount }) => amount ?? 0));
  const shown = showsAll ? rows : rows.slice(0, initialCount);
  return (
    <Card
      className={styles['card']}
      extra={[amounts.unit, compared].filter(Boolean).join(' · ')}
      title={title}
    >
      <table className={styles['list']}>
        <thead className={visuallyHidden}>
          <tr>
            <th scope="col">{of}</th>
            <th scope="col">{amounts.unit ?? t('heatmap.metrics.usage')}</th>
            {compared ? <th scope="col">{compared}</th> : null}
            <th scope="col">{t('heatmap.units.sims')}</th>
            <th scope="col">{t('heatmap.units.sessions')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map(({ key, name, amount, sims, sessions, ...change }) => (
            <tr key={key}>
              <th scope="row">{name}</th>
              <td className={styles['amount']}>
                <span className={styles['track']}>
                  <span className={styles['bar']} style={{ width: `${(100 * (amount ?? 0)) / max}%` }} />
                </span>
                <span className={styles['value']}>{amounts.text(amount)}</span>
              </td>
              {compared ? <td className={styles['change']}>{amounts.change(change)}</td> : null}
              <td className={visuallyHidden}>{counted(sims)}</td>
              <td className={visuallyHidden}>{counted(sessions)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > initialCount ? (
        <button className={styles['more']} onClick={() => setShowsAll(!showsAll)} type="button">
          {showsAll ? t('heatmap.fewer') : more(rows.length - initialCount)}
        </button>
      ) : null}
    </Card>
  );
};
