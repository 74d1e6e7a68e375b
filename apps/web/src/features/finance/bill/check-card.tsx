import type { BillMismatch, BillVersion } from '@simcube/contract/finance';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { Dot } from '../../../ui/status/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useRecompute } from '../api.ts';
import { lineName, quantityText } from '../words.ts';
import styles from './bill.module.css';

/** Whether the records still give the bill's total; anybody may have it recomputed. */
export const CheckCard = ({ version: { bill, check, checking } }: { version: BillVersion }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const start = useRecompute(bill.id);
  const [busy, setBusy] = useState(false);
  const run = (): void => {
    setBusy(true);
    void attempt(start).then(() => setBusy(false));
  };
  const isSame = check !== null && check.mismatches.length === 0;
  return (
    <Card
      extra={
        bill.status === 'obsolete' ? null : (
          <Button loading={busy || checking !== null} onClick={run} size="small">
            {t('finance.check.start')}
          </Button>
        )
      }
      title={t('finance.check.title')}
    >
      {checking ? (
        <p className={styles['note']}>
          {t('finance.check.running', {
            done: format.count(checking.sims_done),
            sims: format.count(checking.sims),
          })}
        </p>
      ) : null}
      <div aria-live="polite">
        {checking ? null : check === null ? (
          <p className={styles['note']}>{t('finance.check.never')}</p>
        ) : (
          <p>
            <Dot tone={isSame ? 'teal' : 'red'} />{' '}
            {t(isSame ? 'finance.check.same' : 'finance.check.other', {
              time: format.dateTime(check.checked_at),
            })}
          </p>
        )}
        {check && check.late > 0 ? (
          <p className={styles['note']}>
            {t('finance.check.late', { count: check.late, shown: format.count(check.late) })}
          </p>
        ) : null}
        {check && !isSame ? (
          <SmallTable>
            <thead>
              <tr>
                <th scope="col">{t('finance.check.figure')}</th>
                <th data-end scope="col">
                  {t('finance.check.billed')}
                </th>
                <th data-end scope="col">
                  {t('finance.check.computed')}
                </th>
              </tr>
            </thead>
            <tbody>
              {check.mismatches.map((mismatch) => (
                <Mismatch
                  currency={bill.currency}
                  key={mismatch.figure + mismatch.what}
                  mismatch={mismatch}
                />
              ))}
            </tbody>
          </SmallTable>
        ) : null}
      </div>
    </Card>
  );
};

const Mismatch = ({ mismatch, currency }: { mismatch: BillMismatch; currency: string }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  // A server of the version before sends only the text.
  const { figure = 'quantity', item = null, what } = mismatch;
  const shown = (text: string): string => {
    const value = Number(text);
    if (figure === 'amount' || figure === 'total') return format.money({ currency, amount_minor: value });
    const count = format.count(value);
    return figure === 'quantity' && item ? quantityText(t, item, { count: value, shown: count }) : count;
  };
  const name = item && lineName(t, item);
  const details = item && [
    ...(item.pool
      ? [t('finance.why.began', { date: calendar.businessFullDate(item.pool.cycle_started_at) })]
      : []),
    ...[item.organisation.name, item.tariff.name, format.price(item.price_micros, currency)],
  ];
  return (
    <tr>
      <td>
        {figure === 'quantity' ? (name ?? what) : t(`finance.check.figures.${figure}`, { line: name ?? '' })}
        {details ? <div className={styles['note']}>{details.join(' · ')}</div> : null}
      </td>
      <td data-end>{shown(mismatch.billed)}</td>
      <td data-bad data-end>
        {shown(mismatch.computed)}
      </td>
    </tr>
  );
};
