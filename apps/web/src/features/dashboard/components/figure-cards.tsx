import { limits } from '@simcube/contract';
import type { DashboardCard } from '@simcube/contract/dashboard';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCards } from '../api/use-dashboard.ts';
import { difference, growth } from '../compared.ts';
import { FigureCard } from './figure-card.tsx';
import styles from './figure-cards.module.css';

const four = ['active', 'usage', 'overage', 'expiring'] as const;

export const FigureCards = () => {
  const { t } = useTranslation();
  const { data: answer, error, refetch } = useCards();
  if (error && !answer) {
    return (
      <Card>
        <Failure error={error} onRetry={() => void refetch()} />
      </Card>
    );
  }
  return (
    <section aria-label={t('dashboard.cards.label')} className={styles['cards']}>
      {answer ? (
        <>
          <ActiveCard card={answer.data} />
          <UsageCard card={answer.data} />
          <OverageCard card={answer.data} />
          <ExpiringCard card={answer.data} />
        </>
      ) : (
        four.map((name) => (
          <Card className={styles['bone']} key={name}>
            <Loading rows={2} />
          </Card>
        ))
      )}
    </section>
  );
};

interface CardProps {
  card: DashboardCard;
}

const ActiveCard = ({ card: { active_sims: active, total_sims: total } }: CardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const grown = growth(active);
  return (
    <FigureCard
      beside={t('dashboard.cards.activeOf', { total: format.count(total) })}
      colour="teal"
      compared={
        grown === undefined
          ? t('dashboard.cards.noComparison')
          : t('dashboard.cards.activeCompared', { change: format.signedPercent(grown) })
      }
      href={`/${format.language}/simCard?lifecycle=active`}
      label={t('dashboard.cards.active')}
      tone={grown === undefined || grown === 0 ? 'plain' : grown > 0 ? 'good' : 'attention'}
      trend={active.trend}
      value={format.count(active.value)}
    />
  );
};

const UsageCard = ({ card: { usage_bytes: usage } }: CardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const grown = growth(usage);
  const { value, unit } = format.bytes(usage.value);
  return (
    <FigureCard
      beside={unit}
      colour="amount"
      compared={
        grown === undefined
          ? t('dashboard.cards.noComparison')
          : t('dashboard.cards.usageCompared', { change: format.signedPercent(grown) })
      }
      exact={t('common.bytesExact', { bytes: format.exactBytes(usage.value) })}
      label={t('dashboard.cards.usage')}
      tone={grown === undefined || grown === 0 ? 'plain' : 'good'}
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
  const compared =
    change === 0
      ? t('dashboard.cards.overageSame')
      : t('dashboard.cards.overageCompared', { change: format.signedCount(change ?? 0) });
  return (
    <FigureCard
      colour="red"
      compared={change === undefined ? t('dashboard.cards.noComparison') : compared}
      href={`/${format.language}/simCard?over=yes`}
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
      compared={t('dashboard.cards.expiringSoon', { shown: format.count(expiring.within_7_days) })}
      href={`/${format.language}/simCard?expires=${limits.expiringSoonDays}`}
      label={t('dashboard.cards.expiring', { days: limits.expiringSoonDays })}
      tone={expiring.within_7_days > 0 ? 'attention' : 'plain'}
      trend={expiring.trend}
      value={format.count(expiring.value)}
    />
  );
};
