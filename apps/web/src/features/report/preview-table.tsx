import type { ReportPreview, ReportUnit } from '@simcube/contract/report';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Bytes } from '../../ui/bytes/index.ts';
import { Identifier } from '../../ui/identifier/index.ts';
import { Scrollable } from '../../ui/scrollable/index.ts';
import { SmallTable } from '../../ui/small-table/index.ts';
import styles from './reports.module.css';

type Value = ReportPreview['rows'][number][number];

const numeric: readonly ReportUnit[] = ['count', 'bytes', 'percent'];
const atEnd = (unit: ReportUnit) => (numeric.includes(unit) ? { 'data-end': true } : {});

/** The first rows of a report, with all its columns. */
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
              <th key={column} scope="col" {...atEnd(unit)}>
                {t(`report.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows may be alike, and never change their places
            <tr key={place}>
              {columns.map(({ column, unit }, index) => (
                <td key={column} {...atEnd(unit)}>
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

const whole = 100;

const Cell = ({ value, unit, label }: { value: Value; unit: ReportUnit; label: string }) => {
  const format = useFormat();
  if (value === null || value === '') return '—';
  if (typeof value === 'string')
    return unit === 'identifier' ? <Identifier emphasis label={label} value={value} /> : value;
  if (unit === 'bytes') return <Bytes value={value} />;
  if (unit !== 'percent') return format.count(value);
  const shown = format.percent(value / whole);
  return value > whole ? <b className={styles['over']}>{shown}</b> : shown;
};
