import { type BillGroup, billGroups, type Estimate, type Settlement } from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartLegend, ChartSkeleton, StackChart } from '../../../ui/chart/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import type { ApiQuery } from '../../../ui/query/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { groupColours } from '../words.ts';

export type SettlementAnswer = Pick<ApiQuery<Settlement>, 'data' | 'error' | 'refetch'>;
type InCurrency = Settlement['currencies'][number];

interface MonthsCardProps {
  query: SettlementAnswer;
  /** For the running month; null if there is no estimate. */
  estimate?: Estimate | null | undefined;
}

/** Totals of the last twelve months and the expected one of the running month, divided by subject. */
export const MonthsCard = ({ query: { data, error, refetch }, estimate }: MonthsCardProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = data?.data.currencies.find(({ months }) => months.length > 0);
  const months = shown ? [...shown.months, ...expectedOf(shown, estimate)] : [];
  const groups = billGroups.filter((group) => months.some((one) => one.group === group));
  return (
    <Card
      aside={
        <ChartLegend
          entries={[
            ...groups.map((group) => ({ name: t(`finance.groups.${group}`), colour: groupColours[group] })),
            ...(months.some(({ provisional }) => provisional)
              ? [{ name: t('finance.months.open'), colour: 'grey', style: 'hatched' } as const]
              : []),
          ]}
        />
      }
      extra={shown ? format.money({ currency: shown.currency, amount_minor: sumOf(shown.months) }) : null}
      title={t('finance.months.title')}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <ChartSkeleton height={chartHeight} />}
      {data && !shown ? (
        <Empty
          hint={t('finance.emptyHint', { zone: businessDays.zone() })}
          small
          title={t('finance.empty')}
        />
      ) : null}
      {shown ? (
        <Chart currency={shown.currency} groups={groups} parts={months} running={estimate?.month} />
      ) : null}
    </Card>
  );
};

const chartHeight = 190;

const sumOf = (months: InCurrency['months']): number =>
  months.reduce((sum, { amount_minor: amount }) => sum + amount, 0);

type Part = InCurrency['months'][number];

/** The running month in the currency of the bills, unless it already has a draft. */
const expectedOf = ({ currency, months }: InCurrency, estimate: Estimate | null | undefined): Part[] => {
  if (!estimate || months.some(({ month }) => month === estimate.month)) return [];
  const parts = estimate.currencies.find((one) => one.currency === currency)?.parts ?? [];
  return billGroups.flatMap((group) => {
    const amount = parts.reduce((sum, part) => sum + (part.group === group ? part.expected_minor : 0), 0);
    return amount === 0 ? [] : [{ month: estimate.month, group, amount_minor: amount, provisional: true }];
  });
};

interface ChartProps {
  currency: string;
  groups: readonly BillGroup[];
  parts: readonly Part[];
  running: string | undefined;
}

const Chart = ({ currency, groups, parts, running }: ChartProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const scale = 10 ** minorDigits(currency);
  const months = [...new Set(parts.map(({ month }) => month))];
  const of = (group: BillGroup, month: string) =>
    parts.find((one) => one.group === group && one.month === month);
  return (
    <StackChart
      categories={months.map(calendar.month)}
      categoryLabel={t('finance.fields.month')}
      height={chartHeight}
      label={t('finance.months.title')}
      longCategories={months.map(calendar.longMonth)}
      provisional={{ name: t('finance.months.open'), ofPeriods: true }}
      format={(value) => format.money({ currency, amount_minor: Math.round(value * scale) })}
      formatTotal={(value, index) =>
        `${months[index] === running ? '≈ ' : ''}${format.count(Math.round(value))}`
      }
      series={groups.map((group) => {
        const amounts = months.map((month) => of(group, month));
        return {
          name: t(`finance.groups.${group}`),
          colour: groupColours[group],
          // The chart has no parts below zero.
          values: amounts.map((one) => Math.max(0, (one?.amount_minor ?? 0) / scale)),
          provisional: amounts.map((one) => (one?.provisional ? Math.max(0, one.amount_minor / scale) : 0)),
        };
      })}
    />
  );
};
