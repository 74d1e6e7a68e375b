import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { combinedFailure } from '../../../ui/query/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { useSeats, useSubOrganisations } from '../api.ts';
import styles from './limits-card.module.css';

/** Seats and sub-organisations: how many are used and how many are left. */
export const LimitsCard = ({ code }: { code: string }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const seats = useSeats(code);
  const subOrganisations = useSubOrganisations(code);
  const { error, retry } = combinedFailure([seats, subOrganisations]);
  return (
    <Card title={t('org.settings.limits')}>
      <div className={styles['limits']}>
        {[
          { key: 'seatsUsed', query: seats },
          { key: 'subsUsed', query: subOrganisations },
        ].map(({ key, query }) => {
          if (!query.data) return query.error ? null : <Loading key={key} rows={2} />;
          const usage = query.data.data;
          return (
            <Limit
              key={key}
              left={t('org.settings.seatsLeft', { count: usage.remaining })}
              limit={usage.limit}
              used={usage.used}
              text={t(key === 'seatsUsed' ? 'org.settings.seatsUsed' : 'org.settings.subsUsed', {
                used: count(usage.used),
                limit: count(usage.limit),
              })}
            />
          );
        })}
        {error ? <Failure error={error} onRetry={retry} /> : null}
      </div>
      <p className={styles['hint']}>{t('org.settings.limitsHint')}</p>
    </Card>
  );
};

const Limit = ({ text, left, used, limit }: { text: string; left: string; used: number; limit: number }) => (
  <div className={styles['limit']}>
    <span className={styles['text']}>
      <span>{text}</span>
      <b>{left}</b>
    </span>
    <UsageBar label={text} limit={limit} used={used} />
  </div>
);
