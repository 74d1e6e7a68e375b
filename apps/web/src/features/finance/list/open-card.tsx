import type { Settlement } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartLegend } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { AsOf, useCalendar } from '../../../ui/time/index.ts';
import { billHref, stateTones } from '../words.ts';
import styles from './finance.module.css';
import type { SettlementAnswer } from './months-card.tsx';
import { usePaymentStatus } from './payment-status.tsx';

type InCurrency = Settlement['currencies'][number];

interface OpenCardProps {
  query: SettlementAnswer;
}

/** The amount to be paid and its bills, the overdue part, and the use of credit and deposit. */
export const OpenCard = ({ query: { data, error, refetch } }: OpenCardProps) => {
  const { t } = useTranslation();
  return (
    <Card extra={data ? <AsOf at={data.asOf} /> : null} title={t('finance.open.title')}>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading rows={3} />}
      {data?.data.currencies.length === 0 ? <p className={styles['note']}>{t('finance.open.none')}</p> : null}
      {data?.data.currencies.map((one) => (
        <Open key={one.currency} limit={limitOf(data.data, one)} one={one} />
      ))}
    </Card>
  );
};

/** A server of the version before has one limit for all currencies. */
const limitOf = (all: Settlement, { credit_limit_minor: own }: InCurrency): number | null =>
  own === undefined ? all.credit_limit_minor : own;

interface OpenProps {
  one: InCurrency;
  limit: number | null;
}

const Open = ({ one, limit }: OpenProps) => {
  const { t } = useTranslation();
  const {
    currency,
    open_minor: open,
    past_due_minor: late,
    deposit_minor: deposit,
    credit_balance_minor: balance,
    credit_used_minor: used,
  } = one;
  const money = (amount: number) => <Money amount={{ currency, amount_minor: amount }} />;
  return (
    <section aria-label={currency} className={styles['open']}>
      <p className={styles['figure']}>{money(open)}</p>
      <dl>
        {one.open_bills.map((bill) => (
          <div key={bill.id}>
            <OpenBill bill={bill} />
            <dd>{money(bill.to_pay_minor)}</dd>
          </div>
        ))}
        {one.open_count > one.open_bills.length ? (
          <div>
            <dt>{t('finance.open.more', { count: one.open_count - one.open_bills.length })}</dt>
          </div>
        ) : null}
        {late > 0 ? (
          <div>
            <dt>
              <Status tone="red">{t('finance.open.pastDue')}</Status>
            </dt>
            <dd>{money(late)}</dd>
          </div>
        ) : null}
        {balance > 0 ? (
          <div>
            <dt>{t('finance.open.creditBalance')}</dt>
            <dd>{money(balance)}</dd>
          </div>
        ) : null}
        {deposit === null ? null : (
          <div>
            <dt>{t('finance.open.deposit')}</dt>
            <dd>{money(deposit)}</dd>
          </div>
        )}
      </dl>
      {/* A server of the version before sends no used credit. */}
      {limit === null || used == null ? null : <Credit limit={limit} one={one} used={used} />}
    </section>
  );
};

const OpenBill = ({ bill }: { bill: InCurrency['open_bills'][number] }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const calendar = useCalendar();
  const standing = usePaymentStatus({ ...bill, paid_on: null });
  return (
    <dt>
      <Status tone={stateTones[bill.state]}>
        <Link href={billHref(language, { id: bill.id })}>
          {calendar.month(bill.month)} · {t(`finance.types.${bill.type}`)}
        </Link>
      </Status>{' '}
      <small>{standing}</small>
    </dt>
  );
};

interface CreditProps {
  one: InCurrency;
  limit: number;
  used: number;
}

/** The part of the credit used by open bills, and in addition by drafts and the month that has none yet. */
const Credit = ({
  one: { currency, open_minor: open, drafts_minor: drafts, undrafted },
  limit,
  used,
}: CreditProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const money = (amount: number) => format.money({ currency, amount_minor: amount });
  const parts = [
    { name: t('finance.open.bills'), amount: open, colour: 'amount' as const },
    ...(drafts === 0 ? [] : [{ name: t('finance.open.drafts'), amount: drafts, colour: stateTones.draft }]),
    ...(undrafted
      ? [
          {
            name: t('finance.open.running', { month: calendar.longMonth(undrafted.month) }),
            amount: undrafted.so_far_minor,
            colour: 'amount-faded' as const,
          },
        ]
      : []),
  ];
  return (
    <>
      <dl>
        <div>
          <dt>{t('finance.open.credit')}</dt>
          <dd>{t('finance.open.ofCredit', { used: money(used), limit: money(limit) })}</dd>
        </div>
      </dl>
      <div
        aria-label={joinList(parts.map(({ name, amount }) => `${name} ${money(amount)}`))}
        className={styles['credit']}
        role="img"
      >
        {parts.map(({ name, amount, colour }) => (
          <span
            key={name}
            style={{
              inlineSize: `${(Math.max(0, amount) / Math.max(limit, used, 1)) * 100}%`,
              background: `var(--${colour})`,
            }}
          />
        ))}
      </div>
      <ChartLegend entries={parts} />
    </>
  );
};
