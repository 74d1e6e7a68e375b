import { LeftOutlined, RightOutlined } from '@ant-design/icons';
import { type BillGroup, billGroups, type Estimate, type Settlement } from '@simcube/contract/finance';
import { minorDigits } from '@simcube/contract/price';
import { Button } from 'antd';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { ChartLegend, ChartSkeleton, StackChart } from '../../../ui/chart/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import type { ApiQuery } from '../../../ui/query/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { monthsBetween } from '../months.ts';
import { groupColours } from '../words.ts';
import styles from './finance.module.css';

export type SettlementAnswer = Pick<ApiQuery<Settlement>, 'data' | 'error' | 'refetch' | 'isPlaceholderData'>;
type InCurrency = Settlement['currencies'][number];

interface MonthsCardProps {
  query: SettlementAnswer;
  year: number;
  onYear: (year: number) => void;
  /** For the running month; null if there is no estimate. */
  estimate?: Estimate | null | undefined;
}

/** Totals of a year's months and the expected one of the running month, divided by subject. */
export const MonthsCard = ({ query, year, onYear, estimate }: MonthsCardProps) => {
  const { error, refetch } = query;
  // While another year is loaded, the query has the former one.
  const data = query.isPlaceholderData ? undefined : query.data;
  const { t } = useTranslation();
  const totalText = useTotalText();
  const running = estimate?.month.startsWith(`${year}-`) ? estimate : undefined;
  const charts = (data?.data.currencies ?? [])
    .map((one) => ({ ...one, parts: [...one.months, ...expectedOf(one, running)] }))
    .filter((one) => one.parts.length > 0);
  const parts = charts.flatMap((one) => one.parts);
  const groups = billGroups.filter((group) => parts.some((one) => one.group === group));
  const [first, ...others] = charts;
  return (
    <Card
      aside={
        <ChartLegend
          entries={[
            ...groups.map((group) => ({ name: t(`finance.groups.${group}`), colour: groupColours[group] })),
            ...(parts.some(({ provisional }) => provisional)
              ? [{ name: t('finance.months.open'), colour: 'grey', style: 'hatched' } as const]
              : []),
          ]}
        />
      }
      extra={
        <>
          {first && others.length === 0 ? totalText(first) : null}
          <YearSwitch
            first={yearOf(query.data?.data.first_month) ?? year}
            last={Math.max(yearOf(query.data?.data.last_month) ?? 0, yearOf(estimate?.month) ?? 0) || year}
            onChange={onYear}
            year={year}
          />
        </>
      }
      title={t('finance.months.title')}
    >
      {error && !data ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {data || error ? null : <ChartSkeleton height={chartHeight} />}
      {data && !first ? (
        <Empty
          hint={t('finance.emptyHint', { zone: businessDays.zone() })}
          small
          title={data.data.first_month === null ? t('finance.empty') : t('finance.months.none', { year })}
        />
      ) : null}
      {charts.map((one) => (
        <Fragment key={one.currency}>
          {others.length > 0 ? <p className={styles['monthsTotal']}>{totalText(one)}</p> : null}
          <Chart
            currency={one.currency}
            groups={groups.filter((group) => one.parts.some((part) => part.group === group))}
            label={
              others.length > 0
                ? t('finance.part', { name: t('finance.months.title'), amount: one.currency })
                : t('finance.months.title')
            }
            parts={one.parts}
            running={running?.month}
          />
        </Fragment>
      ))}
    </Card>
  );
};

const chartHeight = 190;

const yearOf = (month: string | null | undefined): number | undefined =>
  month ? Number(month.slice(0, 4)) : undefined;

interface YearSwitchProps {
  year: number;
  /** The years that have bills. */
  first: number;
  last: number;
  onChange: (year: number) => void;
}

const YearSwitch = ({ year, first, last, onChange }: YearSwitchProps) => {
  const { t } = useTranslation();
  return (
    <span className={styles['year']}>
      <Button
        aria-label={t('finance.months.previousYear')}
        disabled={year <= first}
        icon={<LeftOutlined aria-hidden="true" />}
        onClick={() => onChange(year - 1)}
        size="small"
        type="text"
      />
      <span aria-live="polite">{year}</span>
      <Button
        aria-label={t('finance.months.nextYear')}
        disabled={year >= last}
        icon={<RightOutlined aria-hidden="true" />}
        onClick={() => onChange(year + 1)}
        size="small"
        type="text"
      />
    </span>
  );
};

/** What is billed, and for which months; drafts are not. */
const useTotalText = (): ((one: InCurrency) => string | null) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  return ({ currency, months }) => {
    const billed = months.filter(({ provisional }) => !provisional);
    const [from, to] = [billed[0]?.month, billed.at(-1)?.month];
    if (from === undefined || to === undefined) return null;
    const amount = format.money({
      currency,
      amount_minor: billed.reduce((sum, { amount_minor: one }) => sum + one, 0),
    });
    return from === to
      ? t('finance.months.totalOfMonth', { amount, month: calendar.longMonth(from) })
      : t('finance.months.total', { amount, from: calendar.longMonth(from), to: calendar.longMonth(to) });
  };
};

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
  label: string;
  groups: readonly BillGroup[];
  parts: readonly Part[];
  running: string | undefined;
}

const Chart = ({ currency, label, groups, parts, running }: ChartProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const scale = 10 ** minorDigits(currency);
  const billed = parts.map(({ month }) => month).toSorted();
  // A month without bills leaves a gap.
  const months = monthsBetween(billed[0] ?? '', billed.at(-1) ?? '');
  const of = (group: BillGroup, month: string) =>
    parts.find((one) => one.group === group && one.month === month);
  return (
    <StackChart
      categories={months.map(calendar.month)}
      categoryLabel={t('finance.fields.month')}
      height={chartHeight}
      label={label}
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
          values: amounts.map((one) => (one?.amount_minor ?? 0) / scale),
          provisional: amounts.map((one) => (one?.provisional ? one.amount_minor / scale : 0)),
        };
      })}
    />
  );
};
