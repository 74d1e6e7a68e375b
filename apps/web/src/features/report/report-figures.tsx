import type { Report, ReportFigure, ReportSeries } from '@simcube/contract/report';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { useCalendar } from '../../ui/time/index.ts';
import styles from './reports.module.css';

/** Formats an amount of a report. */
export const useAmount = () => {
  const format = useFormat();
  return (value: number, { unit, currency }: Pick<ReportSeries, 'unit' | 'currency'>): string => {
    if (unit === 'bytes') return format.bytes(value).text;
    if (unit === 'minor' && currency !== null) return format.money({ currency, amount_minor: value });
    return format.count(value);
  };
};

/** The totals of the rows, each compared with the previous month. */
export const ReportFigures = ({
  report: { figures },
  previousMonth,
}: {
  report: Report;
  previousMonth: string;
}) => {
  const { t } = useTranslation();
  const amount = useAmount();
  return (
    <dl className={styles['figures']}>
      {figures.map((one) => (
        <div key={`${one.figure} ${one.currency ?? ''}`}>
          <dt>{t(`report.figures.${one.figure}`)}</dt>
          <dd>
            <b className={styles['figure']}>{amount(one.value, one)}</b>
            <Change previousMonth={previousMonth} figure={one} />
          </dd>
        </div>
      ))}
    </dl>
  );
};

const Change = ({
  figure: { value, before: previousValue, unit },
  previousMonth,
}: {
  figure: ReportFigure;
  previousMonth: string;
}) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  // Growth from zero can't be expressed as a share.
  if (previousValue === null || (unit !== 'count' && previousValue === 0)) return null;
  const change =
    unit === 'count'
      ? format.signedCount(value - previousValue)
      : format.signedPercent((value - previousValue) / previousValue);
  return <small>{t('reports.compared', { change, month: calendar.month(previousMonth) })}</small>;
};
