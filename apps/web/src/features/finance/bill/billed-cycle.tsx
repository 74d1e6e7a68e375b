import { recordSpanOfDays } from '@simcube/contract/cdr';
import type { BillCycle, BillLine } from '@simcube/contract/finance';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { inUnit, unitOf, useFormat } from '../../../lib/format/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { session } from '../../../lib/session/index.ts';
import { businessDays } from '../../../lib/time/index.ts';
import { StackChart } from '../../../ui/chart/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { useBilledCycle } from '../api.ts';
import { billHref, lineName, quantityText } from '../words.ts';
import styles from './why.module.css';

interface BilledCycleProps {
  billId: string;
  line: BillLine;
  iccid: string;
  /** Start of the cycle. */
  cycle: string;
}

/** What a line charges for a SIM's cycle, by day: its usage in a zone, or towards the quota, and when the quota was used up. */
export const BilledCycle = ({ billId, line, iccid, cycle }: BilledCycleProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useBilledCycle({ billId, line: line.line, iccid, cycle });
  if (data?.data === null) return <p className={styles['note']}>{t('finance.why.noCycle')}</p>;
  if (error && !data) return <Failure error={error} onRetry={() => void refetch()} small />;
  return (
    <div className={styles['cycle']}>
      {data?.data ? <CycleOfLine cycle={data.data} iccid={iccid} line={line} /> : <Loading rows={3} />}
    </div>
  );
};

interface CycleProps {
  cycle: BillCycle;
  iccid: string;
  line: BillLine;
}

const CycleOfLine = ({ cycle, iccid, line }: CycleProps) => {
  const { t } = useTranslation();
  const calendar = useCalendar();
  if (cycle.records_since === null) return <Usage cycle={cycle} iccid={iccid} line={line} />;
  return (
    <>
      <p className={styles['note']}>
        {t('finance.why.dropped', { date: calendar.day(cycle.records_since.slice(0, 10)) })}
      </p>
      <Charged charged={cycle.charged} line={line} />
    </>
  );
};

const Usage = ({ cycle, iccid, line }: CycleProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const { days, records, countries } = cycle;
  const isOverQuota = line.kind === 'over-quota';
  const beyond = isOverQuota ? days.reduce((sum, day) => sum + day.beyond_bytes, 0) : 0;
  const rest = isOverQuota ? t('finance.why.within') : lineName(t, line);
  return (
    <>
      {isOverQuota && cycle.used_up_at !== null ? (
        <p className={styles['usedUp']}>
          {t('finance.why.usedUp', {
            quota: format.bytes(cycle.limit_bytes ?? 0).text,
            time: format.dateTime(cycle.used_up_at),
          })}
        </p>
      ) : null}
      <StackChart
        categories={days.map(({ day }) => calendar.shortDay(day))}
        categoryLabel={t('finance.why.day')}
        height={120}
        label={t('finance.why.usage', { zone: businessDays.zone() })}
        longCategories={days.map(({ day }) => calendar.day(day))}
        provisional={{ name: '' }}
        format={(value) => format.bytes(value).text}
        series={[
          {
            name: rest,
            colour: 'amount',
            values: days.map((day) => day.bytes - (isOverQuota ? day.beyond_bytes : 0)),
          },
          ...(isOverQuota
            ? [
                {
                  name: t('finance.why.beyond'),
                  colour: 'orange' as const,
                  values: days.map((day) => day.beyond_bytes),
                },
              ]
            : []),
        ]}
        unit={unitOf(Math.max(0, ...days.map(({ bytes }) => bytes)))}
      />
      <dl>
        <Part bytes={cycle.used_bytes - beyond} name={rest} records={records.within} />
        {isOverQuota ? <Part bytes={beyond} name={t('finance.why.beyond')} records={records.beyond} /> : null}
      </dl>
      {cycle.charged.length > 1 ? <Charged charged={cycle.charged} line={line} /> : null}
      {session.can('cdr') && days.length > 0 ? (
        <Link
          href={`/${format.language}/cdrCard${stringifySearch({
            sims: [iccid],
            country: countries ?? undefined,
            ...recordSpanOfDays(
              { from: days[0]?.day ?? '', to: days.at(-1)?.day ?? '' },
              businessDays.offsetMs(),
            ),
          })}`}
        >
          {t('finance.why.records')}
        </Link>
      ) : null}
    </>
  );
};

/** The lines that charge a cycle, and their sum. */
const Charged = ({ charged, line }: { charged: BillCycle['charged']; line: BillLine }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  const inUnits = (quantity: number): string =>
    quantityText(t, line, { count: quantity, shown: format.count(quantity) });
  return (
    <dl aria-label={t('finance.why.charged')}>
      {charged.map(({ bill_id: id, month, line: number, correction, quantity }) => (
        <Fragment key={`${id} ${number}`}>
          <dt>
            <Link href={billHref(format.language, { id, line: number })}>{calendar.longMonth(month)}</Link>
            {correction ? ` · ${t('finance.why.correction')}` : null}
          </dt>
          <dd>{inUnits(quantity)}</dd>
        </Fragment>
      ))}
      <dt>
        <b>{t('finance.why.charged')}</b>
      </dt>
      <dd>
        <b>{inUnits(charged.reduce((sum, { quantity }) => sum + quantity, 0))}</b>
      </dd>
    </dl>
  );
};

interface PartProps {
  name: string;
  bytes: number;
  records: number;
}

const Part = ({ name, bytes, records }: PartProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <>
      <dt>{name}</dt>
      <dd>
        {t('finance.why.megabytes', {
          shown: format.rounded(inUnit(bytes, 'MB')),
        })}
        {` · ${t('finance.why.ofRecords', { count: records, shown: format.count(records) })}`}
      </dd>
    </>
  );
};
