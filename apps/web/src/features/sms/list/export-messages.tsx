import { endpoints, limits } from '@simcube/contract';
import type { SmsFilter } from '@simcube/contract/sms';
import type { FileFormat } from '@simcube/contract/task';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useOrder } from '../../../lib/orders/index.ts';
import { useSubmit } from '../../../lib/submit/index.ts';
import { ExportForm, ExportPopover } from '../../../ui/export-form/index.ts';
import styles from './messages.module.css';

const exportKinds = ['list', 'mt', 'mo'] as const;
type ExportKind = (typeof exportKinds)[number];

/** Exports the list as a file immediately, or a report of sent or received messages as a task. */
export const ExportMessages = ({ filter }: { filter: SmsFilter }) => {
  const { t } = useTranslation();
  return (
    <ExportPopover title={t('sms.export.title')}>
      {(onClose) => <ExportMessagesForm filter={filter} onClose={onClose} />}
    </ExportPopover>
  );
};

const ExportMessagesForm = ({ filter, onClose }: { filter: SmsFilter; onClose: () => void }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const [exportKind, setExportKind] = useState<ExportKind>('list');
  const list = useSubmit({ onDone: onClose });
  const report = useOrder({ onClose });
  const saveList = async (format: FileFormat): Promise<void> => {
    saveFile(await download(endpoints.sms.download, { body: { filter, format }, announce: false }));
  };
  const run = (format: FileFormat): void => {
    if (exportKind === 'list') void list.submit(() => saveList(format));
    else report.submit(() => requestReport(exportKind, { filter, format }));
  };
  return (
    <ExportForm
      onClose={onClose}
      onExport={run}
      order={exportKind === 'list' ? list : report}
      title={t('sms.export.title')}
      content={{
        label: t('sms.export.title'),
        options: exportKinds.map((value) => ({ value, label: t(`sms.export.works.${value}`) })),
        value: exportKind,
        onChange: setExportKind,
      }}
    >
      <p className={styles['exportHint']}>
        {t(exportKind === 'list' ? 'sms.export.atOnce' : 'sms.export.asTask', {
          max: count(limits.exportRows),
        })}
      </p>
    </ExportForm>
  );
};

const requestReport = async (
  exportKind: Exclude<ExportKind, 'list'>,
  { filter, format }: { filter: SmsFilter; format: FileFormat },
) => {
  const { kind, status, direction: _, ...common } = filter;
  if (exportKind === 'mo') {
    const body = { filter: { ...common, ...(kind === 'reply' ? { kind } : {}) }, format };
    return (await call(endpoints.sms.reportMo, { body, announce: false })).data;
  }
  const body = {
    filter: { ...common, ...(kind && kind !== 'reply' ? { kind } : {}), ...(status ? { status } : {}) },
    format,
  };
  return (await call(endpoints.sms.reportMt, { body, announce: false })).data;
};
