import type { CdrFilter, CdrSums } from '@simcube/contract/cdr';
import { dayMs, hourMs } from '@simcube/contract/time';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import { useExactBytes } from '../../../ui/bytes/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import type { ApiQuery } from '../../../ui/query/index.ts';
import { Sparkline } from '../../../ui/sparkline/index.ts';
import styles from './cdr-list.module.css';
import { curveOf } from './use-cdrs.ts';

/** Sums over all records that match the filter, shown above them. */
export const CdrSumsStrip = ({ query, filter }: { query: ApiQuery<CdrSums>; filter: CdrFilter }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data, error, isPlaceholderData, refetch } = query;
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} small />;
  const total = data?.data.total;
  const countText = (value: number | undefined) => (value === undefined ? undefined : count(value));
  return (
    <section
      aria-busy={total === undefined || isPlaceholderData}
      aria-label={t('cdr.sums.label')}
      className={styles['sums']}
    >
      <dl className={styles['figures']}>
        <Figure term={t('cdr.sums.records')}>{countText(total?.records)}</Figure>
        <Figure term={t('cdr.sums.volume')}>
          {total && <Amount bytes={total.up_bytes + total.down_bytes} />}
        </Figure>
        <Figure term={t('cdr.fields.down')}>{total && <Amount bytes={total.down_bytes} />}</Figure>
        <Figure term={t('cdr.fields.up')}>{total && <Amount bytes={total.up_bytes} />}</Figure>
        <Figure term={t('cdr.sums.sims')}>{countText(total?.sims)}</Figure>
        <Figure term={t('cdr.sums.sessions')}>{countText(total?.sessions)}</Figure>
      </dl>
      {data ? <Curve asOf={data.asOf} by={curveOf(filter)} sums={data.data} /> : null}
    </section>
  );
};

const Figure = ({ term, children }: { term: string; children: ReactNode }) => (
  <div className={styles['figure']}>
    <dt>{term}</dt>
    <dd>{children ?? '—'}</dd>
  </div>
);

const Amount = ({ bytes }: { bytes: number }) => {
  const exact = useExactBytes();
  const { value, unit } = useFormat().bytes(bytes);
  return (
    <span title={exact(bytes)}>
      {value} <small>{unit}</small>
    </span>
  );
};

interface CurveProps {
  sums: CdrSums;
  asOf: string | null;
  by: 'hour' | 'day';
}

const Curve = ({ sums, asOf, by }: CurveProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const groups = sums.groups[by] ?? [];
  const values = groups.map((group) => group.up_bytes + group.down_bytes);
  const lastEnd = Date.parse(groups.at(-1)?.key ?? '') + (by === 'hour' ? hourMs : dayMs);
  if (values.length < 2) return null;
  const label = t(by === 'hour' ? 'cdr.sums.byHour' : 'cdr.sums.byDay');
  const span = `${format.dateTime(sums.from)} – ${format.dateTime(sums.to)}`;
  return (
    <div className={styles['curve']}>
      <span>
        {label}
        <br />
        {span}
      </span>
      <Sparkline
        colour="amount"
        height={34}
        label={joinList([label, span])}
        unfinished={lastEnd > Math.min(Date.parse(sums.to), Date.parse(asOf ?? sums.to))}
        values={values}
        width={220}
      />
    </div>
  );
};
