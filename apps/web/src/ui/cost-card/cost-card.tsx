import type { ChargeLine, CycleCost, PoolCost } from '@simcube/contract/price';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Card } from '../card/index.ts';
import { Empty } from '../empty/index.ts';
import { Failure } from '../failure/index.ts';
import { Money } from '../money/index.ts';
import type { ApiQuery } from '../query/index.ts';
import { useCalendar } from '../time/index.ts';
import styles from './cost-card.module.css';
import { OverLimit } from './over-limit.tsx';

interface CostCardProps {
  query: Pick<ApiQuery<CycleCost | PoolCost | null>, 'data' | 'error' | 'refetch'>;
}

/** The cost of a running cycle so far, and its parts. Not shown if nothing is priced. */
export const CostCard = ({ query: { data: response, error, refetch } }: CostCardProps) => {
  const { t } = useTranslation();
  const cost = response?.data;
  if (!cost && !error) return null;
  return (
    <Card
      extra={cost ? <Money amount={{ currency: cost.currency, amount_minor: cost.total_minor }} /> : null}
      title={t('price.title')}
    >
      {cost ? <Charges cost={cost} /> : <Failure error={error} onRetry={() => void refetch()} />}
    </Card>
  );
};

const Charges = ({ cost }: { cost: CycleCost | PoolCost }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const { lines, currency, tariff } = cost;
  return (
    <>
      {lines.length === 0 ? (
        <Empty small title={t('price.nothing')} />
      ) : (
        <dl className={styles['lines']}>
          {lines.map((line) => (
            <Line currency={currency} key={keyOf(line)} line={line} />
          ))}
        </dl>
      )}
      {'over_limit' in cost && cost.over_limit ? (
        <div className={styles['note']}>
          <OverLimit usage={cost.over_limit} />
        </div>
      ) : null}
      <p className={styles['note']}>
        {t('price.tariff', { name: tariff.name, date: calendar.day(tariff.starts_on) })}
        {' · '}
        {t('price.provisional')}
      </p>
    </>
  );
};

const keyOf = (line: ChargeLine): string => `${line.kind} ${(line.bundle ?? line.zone)?.code}`;

const Line = ({ line, currency }: { line: ChargeLine; currency: string }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, unit, quantity, price_micros: price, amount_minor } = line;
  const name = (line.bundle ?? line.zone)?.name;
  return (
    <div className={styles['line']}>
      <dt>
        {name ? t('price.line', { kind: t(`price.kinds.${kind}`), name }) : t(`price.kinds.${kind}`)}
        <span className={styles['quantity']}>
          {t(`price.quantity.${unit}`, {
            quantity: format.count(quantity),
            price: format.price(price, currency),
          })}
        </span>
      </dt>
      <dd>
        <Money amount={{ currency, amount_minor }} />
      </dd>
    </div>
  );
};
