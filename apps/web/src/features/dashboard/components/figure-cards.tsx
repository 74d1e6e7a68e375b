import { limits } from '@simcube/contract';
import type { DashboardCard } from '@simcube/contract/dashboard';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCards } from '../api/use-dashboard.ts';
import { difference, growth } from '../comparison.ts';
import { FigureCard } from './figure-card.tsx';
import styles from './figure-cards.module.css';

const cardNames = ['active', 'usage', 'overage', 'expiring'] as const;

export const FigureCards = () => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useCards();
  if (error && !response) {
    return (
      <Card>
        <Failure error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <section aria-label={t('dashboard.cards.label')} className={styles['cards']}>
      {response ? (
        <>
          <ActiveCard card={response.data} />
          <UsageCard card={response.data} />
          <OverageCard card={response.data} />
          <ExpiringCard card={response.data} />
        </>
      ) : (
        cardNames.map((name) => (
          <Card className={styles['skeleton']} key={name}>
            <Loading rows={2} />
          </Card>
        ))
      )}
    </section>
  );
};

/** Link to SIMs, for people who may see them. */
const simsHref = (language: string, filter: string): string | undefined =>
  session.can('sim') ? `/${language}/simCard?${filter}` : undefined;

interface CardProps {
  card: DashboardCard;
}

const ActiveCard = ({ card: { active_sims: active, total_sims: total } }: CardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const growthRatio = growth(active);
  return (
    <FigureCard
      suffix={t('dashboard.cards.activeOf', { total: format.count(total) })}
      colour="teal"
      comparison={
        growthRatio === undefined
          ? t('dashboard.cards.noComparison')
          : t('dashboard.cards.activeCompared', { change: format.signedPercent(growthRatio) })
      }
      href={simsHref(format.language, 'lifecycle=active')}
      label={t('dashboard.cards.active')}
      tone={growthRatio === undefined || growthRatio === 0 ? 'plain' : growthRatio > 0 ? 'good' : 'attention'}
      trend={active.trend}
      value={format.count(active.value)}
    />
  );
};

const UsageCard = ({ card: { usage_bytes: usage } }: CardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const growthRatio = growth(usage);
  const { value, unit } = format.bytes(usage.value);
  return (
    <FigureCard
      suffix={unit}
      colour="amount"
      comparison={
        growthRatio === undefined
          ? t('dashboard.cards.noComparison')
          : t('dashboard.cards.usageCompared', { change: format.signedPercent(growthRatio) })
      }
      exact={t('common.bytesExact', { bytes: format.exactBytes(usage.value) })}
      label={t('dashboard.cards.usage')}
      // More usage is neither good nor bad.
      tone="plain"
      trend={usage.trend}
      unfinished
      value={value}
    />
  );
};

const OverageCard = ({ card: { overage_sims: overage } }: CardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const change = difference(overage);
  const comparison =
    change === 0
      ? t('dashboard.cards.overageSame')
      : t('dashboard.cards.overageCompared', { change: format.signedCount(change ?? 0) });
  return (
    <FigureCard
      colour="red"
      comparison={change === undefined ? t('dashboard.cards.noComparison') : comparison}
      href={simsHref(format.language, 'over=yes')}
      label={t('dashboard.cards.overage')}
      tone={!change ? 'plain' : change > 0 ? 'bad' : 'good'}
      trend={overage.trend}
      value={format.count(overage.value)}
    />
  );
};

const ExpiringCard = ({ card: { expiring_sims: expiring } }: CardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <FigureCard
      colour="orange"
      comparison={t('dashboard.cards.expiringSoon', { shown: format.count(expiring.within_7_days) })}
      href={simsHref(format.language, `expires=${limits.expiringSoonDays}`)}
      label={t('dashboard.cards.expiring', { days: limits.expiringSoonDays })}
      tone={expiring.within_7_days > 0 ? 'attention' : 'plain'}
      trend={expiring.trend}
      value={format.count(expiring.value)}
    />
  );
};
