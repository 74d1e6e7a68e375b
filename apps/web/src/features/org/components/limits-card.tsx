import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { UsageBar } from '../../../ui/usage-bar/index.ts';
import { useSeats, useSubOrganisations } from '../api.ts';
import styles from './limits-card.module.css';

/** Seats and sub-organisations: how many are used and how many are left. */
export const LimitsCard = ({ code }: { code: string }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data: seats } = useSeats(code);
  const { data: subOrganisations } = useSubOrganisations(code);
  return (
    <Card title={t('org.settings.limits')}>
      <div className={styles['limits']}>
        {[
          { key: 'seatsUsed', usage: seats?.data },
          { key: 'subsUsed', usage: subOrganisations?.data },
        ].map(({ key, usage }) =>
          usage ? (
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
          ) : null,
        )}
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
