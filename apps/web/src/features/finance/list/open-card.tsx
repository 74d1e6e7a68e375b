import type { Settlement } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Money } from '../../../ui/money/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { AsOf } from '../../../ui/time/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import styles from './finance.module.css';
import type { SettlementAnswer } from './months-card.tsx';

/** What is to be paid, what of it is late, and what credit and deposit leave. */
export const OpenCard = ({ answer: { data, error, refetch } }: { answer: SettlementAnswer }) => {
  const { t } = useTranslation();
  return (
    <Card extra={data ? <AsOf at={data.asOf} /> : null} title={t('finance.open.title')}>
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <Loading rows={3} />}
      {data?.data.currencies.length === 0 ? <p className={styles['note']}>{t('finance.open.none')}</p> : null}
      {data?.data.currencies.map((one) => (
        <InCurrency key={one.currency} limit={data.data.credit_limit_minor} {...one} />
      ))}
    </Card>
  );
};

const InCurrency = (one: Omit<Settlement['currencies'][number], 'months'> & { limit: number | null }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, open_minor: open, past_due_minor: late, deposit_minor: deposit, limit } = one;
  const money = (amount: number) => <Money amount={{ currency, amount_minor: amount }} />;
  return (
    <section aria-label={currency} className={styles['open']}>
      <p className={styles['figure']}>{money(open)}</p>
      <dl>
        <div>
          <dt>
            <Status tone={late > 0 ? 'red' : 'teal'}>{t('finance.open.pastDue')}</Status>
          </dt>
          <dd>{money(late)}</dd>
        </div>
        {deposit === null ? null : (
          <div>
            <dt>{t('finance.open.deposit')}</dt>
            <dd>{money(deposit)}</dd>
          </div>
        )}
        {limit === null ? null : (
          <div>
            <dt>{t('finance.open.credit')}</dt>
            <dd>
              {t('finance.open.ofCredit', {
                left: format.money({ currency, amount_minor: limit - open }),
                limit: format.money({ currency, amount_minor: limit }),
              })}
            </dd>
          </div>
        )}
      </dl>
      {limit === null || limit === 0 ? null : (
        <UsageBar label={t('finance.open.creditUsed')} limit={limit} used={open} />
      )}
    </section>
  );
};
