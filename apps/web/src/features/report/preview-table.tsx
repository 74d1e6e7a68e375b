import type { ReportColumn, ReportKind, ReportPreview, ReportUnit } from '@simcube/contract/report';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Bytes } from '../../ui/bytes/index.ts';
import { Identifier } from '../../ui/identifier/index.ts';
import { Scrollable } from '../../ui/scrollable/index.ts';
import { SmallTable } from '../../ui/small-table/index.ts';
import styles from './reports.module.css';

type Value = ReportPreview['rows'][number][number];

const numeric: readonly ReportUnit[] = ['count', 'bytes', 'percent'];
const alignment = (unit: ReportUnit) => (numeric.includes(unit) ? { 'data-end': true } : {});

/** The most important columns; the files have all. */
const previewColumns: Record<ReportKind, readonly ReportColumn[]> = {
  'sim-usage': ['iccid', 'device_name', 'bundle', 'days_online', 'used', 'fullest_cycle', 'over'],
  inventory: ['iccid', 'device_name', 'status', 'bundle', 'expires'],
  networks: ['country', 'operator', 'radio', 'sims', 'up', 'down', 'used'],
  'status-changes': ['time', 'iccid', 'from', 'to', 'actor'],
  bundles: ['iccid', 'bundle', 'status', 'quota', 'used', 'over'],
  pools: ['pool', 'sims', 'limit', 'used', 'of_quota', 'over'],
  sms: ['iccid', 'device_name', 'sent', 'delivered', 'failed', 'received'],
  cost: ['charge', 'name', 'quantity', 'unit', 'amount', 'currency'],
};

/** The first rows of a report, with as many columns as fit next to the month's other content. */
export const toPreview = (kind: ReportKind, { columns, rows }: ReportPreview): ReportPreview => {
  const indexOf = (name: ReportColumn) => columns.findIndex(({ column }) => column === name);
  // Reports that were made before there was this column have the share of all cycles.
  const isFormer = kind === 'sim-usage' && indexOf('fullest_cycle') < 0;
  const indexes = [...previewColumns[kind], ...(isFormer ? (['of_quota'] as const) : [])]
    .map(indexOf)
    .filter((index) => index >= 0);
  const pick = <T,>(cells: readonly T[]): T[] => cells.filter((_, index) => indexes.includes(index));
  return { columns: pick(columns), rows: rows.map(pick) };
};

export const PreviewTable = ({
  label,
  preview: { columns, rows },
}: {
  label: string;
  preview: ReportPreview;
}) => {
  const { t } = useTranslation();
  return (
    <Scrollable className={styles['rows']} label={label}>
      <SmallTable>
        <thead>
          <tr>
            {columns.map(({ column, unit }) => (
              <th key={column} scope="col" {...alignment(unit)}>
                {t(`report.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, rowIndex) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may be equal, and never change their order
            <tr key={rowIndex}>
              {columns.map(({ column, unit }, index) => (
                <td key={column} {...alignment(unit)}>
                  <Cell label={t(`report.columns.${column}`)} unit={unit} value={row[index] ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </SmallTable>
    </Scrollable>
  );
};

const fullPercent = 100;

const Cell = ({ value, unit, label }: { value: Value; unit: ReportUnit; label: string }) => {
  const format = useFormat();
  if (value === null || value === '') return '—';
  if (typeof value === 'string')
    return unit === 'identifier' ? <Identifier emphasis label={label} value={value} /> : value;
  if (unit === 'bytes') return <Bytes value={value} />;
  if (unit !== 'percent') return format.count(value);
  const shown = format.percent(value / fullPercent);
  return value > fullPercent ? <b className={styles['overQuota']}>{shown}</b> : shown;
};
