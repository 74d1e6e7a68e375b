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
  const { data: subs } = useSubOrganisations(code);
  return (
    <Card title={t('org.settings.limits')}>
      <div className={styles['limits']}>
        {[
          { key: 'seatsUsed', of: seats?.data },
          { key: 'subsUsed', of: subs?.data },
        ].map(({ key, of }) =>
          of ? (
            <Limit
              key={key}
              left={t('org.settings.seatsLeft', { count: of.remaining })}
              limit={of.limit}
              used={of.used}
              words={t(key === 'seatsUsed' ? 'org.settings.seatsUsed' : 'org.settings.subsUsed', {
                used: count(of.used),
                limit: count(of.limit),
              })}
            />
          ) : null,
        )}
      </div>
      <p className={styles['hint']}>{t('org.settings.limitsHint')}</p>
    </Card>
  );
};

const Limit = ({
  words,
  left,
  used,
  limit,
}: {
  words: string;
  left: string;
  used: number;
  limit: number;
}) => (
  <div className={styles['limit']}>
    <span className={styles['words']}>
      <span>{words}</span>
      <b>{left}</b>
    </span>
    <UsageBar label={words} limit={limit} used={used} />
  </div>
);
