import { type CdrSums, naturalDays } from '@simcube/contract/cdr';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import styles from './cdr-charts.module.css';
import { volumeOf } from './measured.ts';

/** What all records that the filter finds add up to. */
export const ChartFigures = ({ sums }: { sums: CdrSums }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, provisional } = sums;
  const days = naturalDays(new Date(sums.from), new Date(sums.to));
  const [up, down] = [total.up_bytes, total.down_bytes].map((bytes) => format.bytes(bytes).text);
  return (
    <dl aria-label={t('cdr.sums.label')} className={styles['figures']}>
      <Figure hint={t('cdr.charts.upDown', { up, down })} term={t('cdr.sums.volume')}>
        <Bytes value={volumeOf(total)} />
      </Figure>
      <Figure
        hint={t('cdr.charts.aDay', { shown: format.count(total.records / Math.max(1, days)) })}
        term={t('cdr.sums.records')}
      >
        {format.count(total.records)}
      </Figure>
      <Figure
        hint={t('cdr.charts.countedUntil', { time: format.dateTime(sums.counted_until) })}
        term={t('cdr.sums.sessions')}
      >
        {format.count(total.sessions)}
      </Figure>
      <Figure hint={t('cdr.charts.withRecords')} term={t('cdr.sums.sims')}>
        {format.count(total.sims)}
      </Figure>
      <Figure
        hint={t('cdr.charts.endedFrom', { time: format.dateTime(sums.provisional_from) })}
        term={t('cdr.charts.stillProvisional')}
      >
        <Bytes value={volumeOf(provisional)} />
      </Figure>
    </dl>
  );
};

const Figure = ({ term, hint, children }: { term: string; hint: string; children: ReactNode }) => (
  <div className={styles['figure']}>
    <dt>{term}</dt>
    <dd>
      <b>{children}</b>
      <span>{hint}</span>
    </dd>
  </div>
);
