import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useSession } from '../../../lib/session/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useCards } from '../api/use-dashboard.ts';
import { useLiveDashboard } from '../api/use-live-dashboard.ts';
import { FigureCards } from '../components/figure-cards.tsx';
import { LifecycleCard } from '../components/lifecycle-card.tsx';
import { PeriodBars } from '../components/period-bars.tsx';
import { RankCard } from '../components/rank-card.tsx';
import { UsageCard } from '../components/usage-card.tsx';
import type { AnalysisSearch } from '../search.ts';
import styles from './analysis.module.css';

export interface AnalysisScreenProps {
  search: AnalysisSearch;
  onSearchChange: (next: AnalysisSearch, how?: 'push' | 'replace') => void;
}

/** The dashboard: how the fleet and its usage stand, at one look. */
export const AnalysisScreen = ({ search, onSearchChange }: AnalysisScreenProps) => {
  const { t } = useTranslation();
  useLiveDashboard();
  return (
    <Page facts={<CycleFacts />} title={t('dashboard.title')}>
      <FigureCards />
      <div className={styles['wide']}>
        <UsageCard onRange={(range) => onSearchChange({ range }, 'replace')} range={search.range ?? '24h'} />
        <LifecycleCard />
      </div>
      <div className={styles['three']}>
        <PeriodBars range="6months" />
        <PeriodBars range="week" />
        <RankCard />
      </div>
    </Page>
  );
};

/** Whose figures these are, and of which cycle. */
const CycleFacts = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const calendar = useCalendar();
  const code = useSession('partnerCode');
  const name = useSession('rolesInfo')?.find((organisation) => organisation.code === code)?.name;
  const { data: answer } = useCards();
  if (!answer) return null;
  const { started_at: from, ends_at: to } = answer.data.cycle;
  const cycle = t('dashboard.cycle', {
    from: calendar.businessDate(from),
    // The end is the first instant of the next cycle, or the last of this one; both lie in its last day less a second.
    to: calendar.businessDate(new Date(Date.parse(to) - 1000).toISOString()),
  });
  return <span lang={language}>{[name, cycle].filter(Boolean).join(' · ')}</span>;
};
