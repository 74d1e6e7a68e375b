import { type BillGroup, billGroups, type Settlement } from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { Asked } from '../../../ui/answer/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartLegend, ChartSkeleton, StackChart } from '../../../ui/chart/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { groupColours } from '../words.ts';

export type SettlementAnswer = Pick<Asked<Settlement>, 'data' | 'error' | 'refetch'>;
type InCurrency = Settlement['currencies'][number];

/** What the last twelve months came to, by what they were made of. */
export const MonthsCard = ({ answer: { data, error, refetch } }: { answer: SettlementAnswer }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const shown = data?.data.currencies.find(({ months }) => months.length > 0);
  const groups = billGroups.filter((group) => shown?.months.some((one) => one.group === group));
  return (
    <Card
      aside={
        <ChartLegend
          entries={groups.map((group) => ({
            name: t(`finance.groups.${group}`),
            colour: groupColours[group],
          }))}
        />
      }
      extra={shown ? format.money({ currency: shown.currency, amount_minor: sumOf(shown.months) }) : null}
      title={t('finance.months.title')}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <ChartSkeleton height={chartHeight} />}
      {data && !shown ? <Empty hint={t('finance.emptyHint')} small title={t('finance.empty')} /> : null}
      {shown ? <Chart groups={groups} shown={shown} /> : null}
    </Card>
  );
};

const chartHeight = 190;

const sumOf = (months: InCurrency['months']): number =>
  months.reduce((sum, { amount_minor: amount }) => sum + amount, 0);

const Chart = ({ shown, groups }: { shown: InCurrency; groups: readonly BillGroup[] }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { currency } = shown;
  const scale = 10 ** minorDigits(currency);
  const months = [...new Set(shown.months.map(({ month }) => month))];
  const of = (group: BillGroup, month: string) =>
    shown.months.find((one) => one.group === group && one.month === month);
  return (
    <StackChart
      categories={months.map(calendar.month)}
      categoryLabel={t('finance.fields.month')}
      height={chartHeight}
      label={t('finance.months.title')}
      longCategories={months.map(calendar.longMonth)}
      provisional={{ name: t('finance.states.draft') }}
      read={(value) => format.money({ currency, amount_minor: Math.round(value * scale) })}
      series={groups.map((group) => {
        const amounts = months.map((month) => of(group, month));
        return {
          name: t(`finance.groups.${group}`),
          colour: groupColours[group],
          // A chart of parts has none below nothing.
          values: amounts.map((one) => Math.max(0, (one?.amount_minor ?? 0) / scale)),
          provisional: amounts.map((one) => (one?.provisional ? Math.max(0, one.amount_minor / scale) : 0)),
        };
      })}
    />
  );
};
