import { endpoints, limits } from '@simcube/contract';
import {
  type CdrColumn,
  type CdrExportRows,
  type CdrFigures,
  type CdrFilter,
  cdrColumns,
  cdrExportRows,
  countNaturalDays,
} from '@simcube/contract/cdr';
import type { FileFormat } from '@simcube/contract/task';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useOrder } from '../../../lib/orders/index.ts';
import { ExportForm, ExportLine, ExportPopover } from '../../../ui/export-form/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import styles from './export-cdrs.module.css';
import { ownPartner } from './use-cdrs.ts';

interface ExportProps {
  /** The list's current filter. */
  filter: CdrFilter;
  /** Undefined until the server has counted. */
  total: CdrFigures | undefined;
  /** The file's columns that the table shows; without a table, the file has all. */
  columns?: readonly CdrColumn[];
  disabled?: boolean;
}

/** Exports the records that match the filter: a task creates the file, and shows when it is ready. */
export const ExportCdrs = (props: ExportProps) => {
  const { t } = useTranslation();
  return (
    <ExportPopover
      disabled={props.disabled === true || props.total?.records === 0}
      title={t('cdr.export.title')}
    >
      {(onClose) => <Form {...props} onClose={onClose} />}
    </ExportPopover>
  );
};

const Form = ({ filter, total, columns, onClose }: ExportProps & { onClose: () => void }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [rows, setRows] = useState<CdrExportRows>('record');
  const [columnChoice, setColumnChoice] = useState<'shown' | 'all'>('shown');
  const order = useOrder({ onClose });
  const amounts: Readonly<Record<CdrExportRows, number | undefined>> = {
    record: total?.records,
    sim: total?.sims,
    day_operator: useDaysAndOperators(filter),
  };
  const amount = amounts[rows];
  const tooMany = amount !== undefined && amount > limits.exportRows;
  const chosen = columnChoice === 'shown' && rows === 'record' ? columns : undefined;
  const run = (file: FileFormat): void =>
    order.submit(async () => {
      const { data } = await call(endpoints.cdr.exportAll, {
        params: { ...ownPartner(), format: file },
        body: { filter, rows, ...(chosen ? { columns: [...chosen] } : {}) },
        announce: false,
      });
      return data;
    });
  return (
    <ExportForm
      disabled={tooMany}
      onClose={onClose}
      onExport={run}
      order={order}
      title={t('cdr.export.title')}
      content={{
        label: t('cdr.export.rows'),
        options: cdrExportRows.map((value) => ({
          value,
          label: [
            t(`cdr.export.of.${value}`),
            amounts[value] === undefined ? undefined : format.count(amounts[value]),
          ]
            .filter(Boolean)
            .join(' · '),
        })),
        value: rows,
        onChange: setRows,
      }}
    >
      {rows === 'record' && columns ? (
        <ExportLine label={t('cdr.export.columns')}>
          <Segmented
            label={t('cdr.export.columns')}
            onChange={setColumnChoice}
            options={[
              { value: 'shown', label: t('cdr.export.shown', { count: columns.length }) },
              { value: 'all', label: t('cdr.export.all', { count: cdrColumns.length }) },
            ]}
            small
            value={columnChoice}
          />
        </ExportLine>
      ) : null}
      <ExportLine label={t('cdr.export.times')}>
        <span>{format.zone === 'UTC' ? 'UTC' : t('common.time.local')}</span>
      </ExportLine>
      <Amount amount={amount} filter={filter} tooMany={tooMany} />
    </ExportForm>
  );
};

interface AmountProps {
  amount: number | undefined;
  filter: CdrFilter;
  tooMany: boolean;
}

/** The number of rows in the file, and the maximum. */
const Amount = ({ amount, filter, tooMany }: AmountProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const max = count(limits.exportRows);
  return (
    <>
      {amount === undefined ? null : (
        <progress
          aria-label={t('cdr.export.share')}
          className={styles['share']}
          data-over={tooMany ? 'true' : undefined}
          max={limits.exportRows}
          value={Math.min(amount, limits.exportRows)}
        />
      )}
      {amount !== undefined && tooMany ? (
        <p className={styles['error']} role="alert">
          <b>{t('errors.exportTooLarge', { max })}</b> <NarrowingHint amount={amount} filter={filter} />
        </p>
      ) : (
        <p className={styles['words']}>
          {amount === undefined ? null : `${t('cdr.export.of100', { shown: count(amount), max })} `}
          {t('cdr.export.task')}
        </p>
      )}
    </>
  );
};

/** The number of rows of the sums by day and operator; counted where the export can be ordered. */
const useDaysAndOperators = (filter: CdrFilter): number | undefined => {
  const { data } = useQuery(
    endpointQuery(endpoints.cdr.sums, {
      params: ownPartner(),
      body: { ...filter, group_by: ['day_operator'] },
    }),
  );
  return data?.data.groups.day_operator?.length;
};

const narrowingFilters = ['identifiers', 'country', 'operator', 'radio', 'apn'] as const;
/** The most that one sentence lists. */
const maxNamed = 3;

/** How much of the period fits into a file, and which filters could narrow it further. */
const NarrowingHint = ({ amount, filter }: { amount: number; filter: CdrFilter }) => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const days = countNaturalDays(new Date(filter.from ?? ''), new Date(filter.to ?? ''));
  const fitting = Math.floor((limits.exportRows * days) / amount);
  const open = narrowingFilters.filter((name) => !filter[name]?.length).slice(0, maxNamed);
  const words = open.map((name) => t(`cdr.export.by.${name}`));
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(words);
  return (
    <span>
      {open.length > 0 ? t('cdr.export.narrow', { list }) : t('cdr.export.narrowTime')}
      {fitting > 0 ? ` ${t('cdr.export.fits', { count: fitting, shown: count(fitting) })}` : null}
    </span>
  );
};
