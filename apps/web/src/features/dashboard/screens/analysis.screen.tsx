import type { DashboardStatistics } from '@simcube/contract/dashboard';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useSession } from '../../../lib/session/index.ts';
import { lastInstantBefore } from '../../../lib/time/last-instant.ts';
import { Page } from '../../../ui/page/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useCards } from '../api/use-dashboard.ts';
import { useLiveDashboard } from '../api/use-live-dashboard.ts';
import { FigureCards } from '../components/figure-cards.tsx';
import { LifecycleCard } from '../components/lifecycle-card.tsx';
import { PeriodBars } from '../components/period-bars.tsx';
import { RankCard } from '../components/rank-card.tsx';
import { UsageCard } from '../components/usage-card.tsx';
import { analysisSearchSchema } from '../search.ts';
import styles from './analysis.module.css';

/** The dashboard: the state of the fleet and its usage at a glance. */
export const AnalysisScreen = () => {
  const { t } = useTranslation();
  const [range, setRange] = useRange();
  useLiveDashboard();
  return (
    <Page facts={<CycleFacts />} title={t('dashboard.title')}>
      <FigureCards />
      <div className={styles['wide']}>
        <UsageCard onRange={setRange} range={range} />
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

/** The chart's range is in the URL; the default is a day. */
const useRange = () => {
  const router = useRouter();
  const { range = '24h' } = analysisSearchSchema.parse(useSearch({ strict: false }));
  const setRange = (next: DashboardStatistics['range']): void =>
    router.history.replace(`${router.state.location.pathname}${next === '24h' ? '' : `?range=${next}`}`);
  return [range, setRange] as const;
};

/** The organisation and the cycle of these figures. */
const CycleFacts = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const calendar = useCalendar();
  const code = useSession('partnerCode');
  const name = useSession('rolesInfo')?.find((organisation) => organisation.code === code)?.name;
  const { data: response } = useCards();
  if (!response) return null;
  const { started_at: from, ends_at: to } = response.data.cycle;
  const cycle = t('dashboard.cycle', {
    from: calendar.businessDate(from),
    // The end is the first instant of the next cycle, or the last of this one; a second earlier, both are on its last day.
    to: calendar.businessDate(lastInstantBefore(to)),
  });
  return <span lang={language}>{[name, cycle].filter(Boolean).join(' · ')}</span>;
};
