import type { Report, ReportPreferences } from '@simcube/contract/report';
import { dayMs } from '@simcube/contract/time';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Card, Pill } from '../../ui/card/index.ts';
import { Link } from '../../ui/link/index.ts';
import { Loading } from '../../ui/loading/index.ts';
import { useCalendar, useNow } from '../../ui/time/index.ts';
import styles from './reports.module.css';

export interface Month {
  month: string;
  reports: readonly Report[];
}

interface MonthsProps {
  months: readonly Month[];
  /** The next reports; undefined if none will be created. */
  nextReports: ReportPreferences['next'] | undefined;
  selectedMonth: string | undefined;
  isLoading: boolean;
  hrefOf: (month: string) => string;
}

const initialMonthCount = 10;

/** Every month that has reports, with its usage; before them, the next one. */
export const MonthsCard = ({ months, nextReports, selectedMonth, isLoading, hrefOf }: MonthsProps) => {
  const { t } = useTranslation();
  const [isExpanded, setExpanded] = useState(false);
  const maxUsed = Math.max(1, ...months.map((one) => figureOf(one, 'used') ?? 0));
  const visibleMonths = months.filter(
    ({ month }, index) => isExpanded || index < initialMonthCount || month === selectedMonth,
  );
  const more = months.length - visibleMonths.length;
  return (
    <Card className={styles['months']} title={t('reports.months')}>
      {nextReports ? <NextReports next={nextReports} /> : null}
      {isLoading ? <Loading rows={8} /> : null}
      <ul>
        {visibleMonths.map((one) => (
          <li key={one.month}>
            <MonthLink
              current={one.month === selectedMonth}
              href={hrefOf(one.month)}
              maxUsed={maxUsed}
              one={one}
            />
          </li>
        ))}
      </ul>
      {more > 0 ? (
        <Button onClick={() => setExpanded(true)} type="link">
          {t('reports.earlier', { count: more })}
        </Button>
      ) : null}
    </Card>
  );
};

/** A figure of the usage report, if that exists. */
const figureOf = ({ reports }: Month, figure: 'used' | 'sims'): number | undefined =>
  reports.find(({ kind }) => kind === 'sim-usage')?.figures.find((one) => one.figure === figure)?.value;

const bytesOf = ({ reports }: Month): number =>
  reports.flatMap(({ files }) => files).reduce((sum, { bytes }) => sum + bytes, 0);

interface MonthLinkProps {
  one: Month;
  current: boolean;
  href: string;
  maxUsed: number;
}

const MonthLink = ({ one, current, href, maxUsed }: MonthLinkProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const used = figureOf(one, 'used');
  const sims = figureOf(one, 'sims');
  const size = format.bytes(bytesOf(one)).text;
  return (
    <Link aria-current={current ? 'true' : undefined} href={href}>
      <span className={styles['label']}>
        <b className={styles['monthName']}>{calendar.longMonth(one.month)}</b>
        <small>
          {sims === undefined
            ? t('reports.made', { count: one.reports.length, size })
            : t('reports.simsAndSize', { count: sims, shown: format.count(sims), size })}
        </small>
      </span>
      {used === undefined ? null : (
        <>
          <span aria-hidden="true" className={styles['level']}>
            <span style={{ blockSize: `${Math.max(8, (used / maxUsed) * 100)}%` }} />
          </span>
          <span className={styles['used']}>{format.bytes(used).text}</span>
        </>
      )}
    </Link>
  );
};

/** When the next reports will be created. */
const NextReports = ({ next: { month, from, ready_by: readyBy } }: { next: ReportPreferences['next'] }) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  const now = useNow();
  const days = Math.ceil((Date.parse(from) - now) / dayMs);
  // It ends at that instant.
  const last = new Date(Date.parse(readyBy) - 1).toISOString();
  return (
    <p className={styles['nextReports']}>
      <span className={styles['label']}>
        <span className={styles['monthName']}>{calendar.longMonth(month)}</span>
        <small>
          {t('reports.comes', { from: calendar.businessDate(from), until: calendar.businessDate(last) })}
        </small>
      </span>
      <Pill>{days > 0 ? t('reports.inDays', { count: days }) : t('reports.underWay')}</Pill>
    </p>
  );
};
