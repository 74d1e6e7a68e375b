import { DownloadOutlined } from '@ant-design/icons';
import { endpoints, limits } from '@simcube/contract';
import {
  type CdrColumn,
  type CdrExportRows,
  type CdrFigures,
  type CdrFilter,
  cdrColumns,
  cdrExportRows,
  naturalDays,
} from '@simcube/contract/cdr';
import { type FileFormat, fileFormats } from '@simcube/contract/task';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Button, Radio } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure, call, endpointQuery, messageOf } from '../../../lib/api-client/index.ts';
import { followTask } from '../../../lib/followed-tasks/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Popover } from '../../../ui/popover/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import styles from './export-cdrs.module.css';
import { ownPartner } from './use-cdrs.ts';

interface ExportProps {
  /** What the list shows at this moment. */
  filter: CdrFilter;
  /** Undefined until the server has counted. */
  total: CdrFigures | undefined;
  /** Columns of the file that the table shows; without a table, the file has all. */
  columns?: readonly CdrColumn[];
  disabled?: boolean;
}

/** What the filter finds as a file: a task makes it, and shows when it is there. */
export const ExportCdrs = (props: ExportProps) => {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <Popover
      content={<ExportForm {...props} onClose={() => setOpen(false)} />}
      label={t('cdr.export.title')}
      onOpen={setOpen}
      open={open}
      placement="bottomRight"
    >
      <Button
        disabled={props.disabled === true || props.total?.records === 0}
        icon={<DownloadOutlined aria-hidden="true" />}
      >
        {t('kit.export.label')}
      </Button>
    </Popover>
  );
};

const ExportForm = ({ filter, total, columns, onClose }: ExportProps & { onClose: () => void }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [rows, setRows] = useState<CdrExportRows>('record');
  const [file, setFile] = useState<FileFormat>('csv');
  const [only, setOnly] = useState<'shown' | 'all'>('shown');
  const { sending, refusal, send } = useExport(onClose);
  const amounts: Readonly<Record<CdrExportRows, number | undefined>> = {
    record: total?.records,
    sim: total?.sims,
    day_operator: useDaysAndOperators(filter),
  };
  const amount = amounts[rows];
  const tooMany = amount !== undefined && amount > limits.exportRows;
  const [shown, max] = [format.count(amount ?? 0), format.count(limits.exportRows)];
  const chosen = only === 'shown' && rows === 'record' ? columns : undefined;
  return (
    <div className={styles['form']}>
      <h2 className={styles['title']}>{t('cdr.export.title')}</h2>
      <Radio.Group
        aria-label={t('cdr.export.rows')}
        className={styles['rows'] ?? ''}
        onChange={(event) => setRows(event.target.value as CdrExportRows)}
        options={cdrExportRows.map((value) => ({
          value,
          label: [
            t(`cdr.export.of.${value}`),
            amounts[value] === undefined ? undefined : format.count(amounts[value]),
          ]
            .filter(Boolean)
            .join(' · '),
        }))}
        value={rows}
      />
      <div className={styles['line']}>
        <span>{t('cdr.export.format')}</span>
        <Segmented
          label={t('cdr.export.format')}
          onChange={setFile}
          options={fileFormats.map((value) => ({ value, label: value.toUpperCase() }))}
          small
          value={file}
        />
      </div>
      {rows === 'record' && columns ? (
        <div className={styles['line']}>
          <span>{t('cdr.export.columns')}</span>
          <Segmented
            label={t('cdr.export.columns')}
            onChange={setOnly}
            options={[
              { value: 'shown', label: t('cdr.export.shown', { count: columns.length }) },
              { value: 'all', label: t('cdr.export.all', { count: cdrColumns.length }) },
            ]}
            small
            value={only}
          />
        </div>
      ) : null}
      <div className={styles['line']}>
        <span>{t('cdr.export.times')}</span>
        <span>{format.zone === 'UTC' ? 'UTC' : t('common.time.local')}</span>
      </div>
      {amount === undefined ? null : (
        <progress
          aria-label={t('cdr.export.share')}
          className={styles['share']}
          data-over={tooMany ? 'true' : undefined}
          max={limits.exportRows}
          value={Math.min(amount, limits.exportRows)}
        />
      )}
      {tooMany ? (
        <p className={styles['wrong']} role="alert">
          <b>{t('errors.exportTooLarge', { max })}</b> <Narrower amount={amount} filter={filter} />
        </p>
      ) : (
        <p className={styles['words']}>
          {amount === undefined ? null : `${t('cdr.export.of100', { shown, max })} `}
          {t('cdr.export.task')}
        </p>
      )}
      {refusal ? (
        <p className={styles['wrong']} role="alert">
          {refusal}
        </p>
      ) : null}
      <footer className={styles['footer']}>
        <Button onClick={onClose}>{t('common.actions.cancel')}</Button>
        <Button
          disabled={tooMany}
          loading={sending}
          onClick={() =>
            send(async () =>
              call(endpoints.cdr.exportAll, {
                params: { ...ownPartner(), format: file },
                body: { filter, rows, ...(chosen ? { columns: [...chosen] } : {}) },
                announce: false,
              }),
            )
          }
          type="primary"
        >
          {t('kit.export.label')}
        </Button>
      </footer>
    </div>
  );
};

/** How many rows the sums by day and operator have; they are counted where somebody may order them. */
const useDaysAndOperators = (filter: CdrFilter): number | undefined => {
  const { data } = useQuery(
    endpointQuery(endpoints.cdr.sums, {
      params: ownPartner(),
      body: { ...filter, group_by: ['day_operator'] },
    }),
  );
  return data?.data.groups.day_operator?.length;
};

const narrowers = ['identifiers', 'country', 'operator', 'radio', 'apn'] as const;
/** As many as a sentence can name. */
const namedAtOnce = 3;

/** How much of the period fits into a file, and what else is not narrowed yet. */
const Narrower = ({ amount, filter }: { amount: number; filter: CdrFilter }) => {
  const { t } = useTranslation();
  const { language, count } = useFormat();
  const days = naturalDays(new Date(filter.from ?? ''), new Date(filter.to ?? ''));
  const fitting = Math.floor((limits.exportRows * days) / amount);
  const open = narrowers.filter((name) => !filter[name]?.length).slice(0, namedAtOnce);
  const words = open.map((name) => t(`cdr.export.by.${name}`));
  const list = new Intl.ListFormat(language, { type: 'disjunction' }).format(words);
  return (
    <span>
      {open.length > 0 ? t('cdr.export.narrow', { list }) : t('cdr.export.narrowTime')}
      {fitting > 0 ? ` ${t('cdr.export.fits', { count: fitting, shown: count(fitting) })}` : null}
    </span>
  );
};

type Sent = () => Promise<{ data: Parameters<typeof followTask>[0] }>;

/** Orders a file: its task is followed, a refusal is shown where it was ordered. */
export const useExport = (onStarted: () => void) => {
  const client = useQueryClient();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const order = async (work: Sent): Promise<void> => {
    setSending(true);
    setRefusal(undefined);
    try {
      const { data } = await work();
      followTask(data);
      void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
      onStarted();
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusal(messageOf(error));
    } finally {
      setSending(false);
    }
  };
  return { sending, refusal, send: (work: Sent) => void order(work) };
};
