import type { PoolSettings } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { unitOf, useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { usePoolSettings } from '../api/use-pool.ts';
import { lastDayOf } from '../pool-display.ts';
import type { PoolPageSearch } from '../search.ts';
import styles from './overview.module.css';
import { termColour, useTermText } from './term-text.ts';

interface LimitCardProps extends Pick<SearchScreenProps<PoolPageSearch>, 'hrefOf'> {
  poolId: string;
}

/** The parts of the limit, and the rules. */
export const LimitCard = ({ poolId, hrefOf }: LimitCardProps) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = usePoolSettings(poolId);
  return (
    <Card
      extra={<Link href={hrefOf({ tab: 'settings' })}>{t('pool.tabs.settings')}</Link>}
      title={t('pool.limit.title')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {response ? (
        <>
          <LimitTerms {...response.data} />
          <Rules pool={response.data.pool} />
        </>
      ) : null}
      {response || error ? null : <Loading rows={6} />}
    </Card>
  );
};

/** The parts of the limit, to scale and in figures; deductions are listed but not drawn. */
export const LimitTerms = ({ pool, terms }: PoolSettings) => {
  const { t } = useTranslation();
  const format = useFormat();
  const termText = useTermText(pool);
  const unit = unitOf(pool.limit_bytes);
  const totalBytes = terms.reduce((sum, { bytes }) => sum + Math.max(0, bytes), 0);
  return (
    <>
      <div className={styles['limit']}>
        <span>{t('pool.limit.limit')}</span>
        <b>
          <Bytes value={pool.limit_bytes} />
        </b>
      </div>
      <div aria-hidden="true" className={styles['parts']}>
        {terms.map(({ kind, bytes, at }) =>
          bytes > 0 ? (
            <span
              key={`${kind} ${at}`}
              style={{ flexGrow: bytes / totalBytes, background: `var(--${termColour(kind)})` }}
            />
          ) : null,
        )}
      </div>
      <ul className={styles['terms']}>
        {terms.map((term) => (
          <li key={`${term.kind} ${term.at}`}>
            <span
              aria-hidden="true"
              className={styles['swatch']}
              style={{ background: `var(--${termColour(term.kind)})` }}
            />
            <span>{termText(term)}</span>
            <span className={styles['bytes']}>
              {term.bytes < 0
                ? `−${format.bytes(-term.bytes, unit).text}`
                : format.bytes(term.bytes, unit).text}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
};

const Rules = ({ pool }: Pick<PoolSettings, 'pool'>) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  return (
    <DescriptionList
      items={[
        { term: t('pool.fields.bundle'), value: pool.bundle.name },
        { term: t('pool.fields.policy'), value: t(`pool.policies.${pool.policy}`) },
        { term: t('pool.fields.optIn'), value: t(`pool.optIns.${pool.opt_in}`) },
        { term: t('pool.fields.rule'), value: t(`pool.rules.${pool.activation_rule}`) },
        { term: t('pool.fields.cycleEnds'), value: calendar.businessFullDate(lastDayOf(pool)) },
      ]}
    />
  );
};
