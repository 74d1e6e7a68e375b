import type { endpoints, ResponseOf } from '@simcube/contract';
import { type ReactNode, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { DialogField } from '../../../ui/dialog/index.ts';
import { Scrollable } from '../../../ui/scrollable/index.ts';
import { Tags } from '../components/tags.tsx';
import styles from './transfer.module.css';

export type ParsedInfo = ResponseOf<typeof endpoints.sim.parseInfo>;

type InvalidRowsProps = Pick<ParsedInfo, 'errors' | 'wrong_rows'>;

/** Invalid rows, which will be left out: their number in the file and what was expected. Nothing if there are none. */
export const InvalidRows = ({ errors, wrong_rows: invalidCount }: InvalidRowsProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  if (invalidCount === 0) return null;
  const rest = invalidCount - new Set(errors.map(({ row }) => row)).size;
  return (
    <RowsTable
      headings={[
        t('operations.rows.row'),
        t('operations.rows.column'),
        t('operations.rows.value'),
        t('operations.rows.problem'),
      ]}
      title={t('operations.rows.wrong', { count: invalidCount, shown: format.count(invalidCount) })}
    >
      {errors.map(({ row, column, value, message }) => (
        <tr key={`${row} ${column} ${value} ${message}`}>
          <td>{format.count(row)}</td>
          <td>{column}</td>
          <td>{value}</td>
          <td>{message}</td>
        </tr>
      ))}
      {rest > 0 ? (
        <tr>
          <td colSpan={4}>{t('operations.rows.rest', { shown: format.count(rest) })}</td>
        </tr>
      ) : null}
    </RowsTable>
  );
};

/** The first rows as they will be saved. */
export const InfoRows = ({ info: { sample } }: { info: ParsedInfo }) => {
  const { t } = useTranslation();
  return (
    <RowsTable
      headings={[
        t('sim.columns.iccid'),
        t('sim.columns.device_name'),
        t('sim.columns.notes'),
        t('sim.columns.tags'),
      ]}
      title={t('operations.rows.sample')}
    >
      {sample.map(({ iccid, device_name: name, notes, tags }) => (
        <tr key={iccid}>
          <td className={styles['mono']}>{iccid}</td>
          <td>{name ?? '—'}</td>
          <td>{notes ?? '—'}</td>
          <td>{tags.length > 0 ? <Tags limit={tags.length} tags={tags} /> : '—'}</td>
        </tr>
      ))}
    </RowsTable>
  );
};

interface RowsTableProps {
  title: string;
  headings: readonly string[];
  children: ReactNode;
}

const RowsTable = ({ title, headings, children }: RowsTableProps) => {
  const id = useId();
  return (
    <DialogField label={title} labelId={id}>
      <Scrollable className={styles['scroll']} label={title}>
        <table aria-labelledby={id} className={styles['table']}>
          <thead>
            <tr>
              {headings.map((heading) => (
                <th key={heading} scope="col">
                  {heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>{children}</tbody>
        </table>
      </Scrollable>
    </DialogField>
  );
};
