import { endpoints, limits } from '@simcube/contract';
import type { FileFormat } from '@simcube/contract/task';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { useOrder } from '../../../lib/orders/index.ts';
import { Dialog, DialogContent, DialogField, DialogText } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import type { OperationDialogProps } from './operation-dialog.tsx';

/** Exports the SIMs; the file is downloaded from the task centre when it is ready. */
export const ExportDialog = (props: Omit<OperationDialogProps, 'name'>) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={props.onClose} open title={t('operations.titles.export')}>
      <ExportForm {...props} />
    </Dialog>
  );
};

const ExportForm = ({ target, ...callbacks }: Omit<OperationDialogProps, 'name'>) => {
  const { t } = useTranslation();
  const shown = useFormat();
  const [format, setFormat] = useState<FileFormat>('csv');
  const { sending, refusal, submit } = useOrder(callbacks);
  const send = () => {
    const body = { selection: target.selection, format };
    submit(async () => (await call(endpoints.sim.exportList, { body, announce: false })).data);
  };
  return (
    <DialogContent
      actions={
        <Button loading={sending} onClick={send} type="primary">
          {t('operations.verbs.export')}
        </Button>
      }
      onCancel={callbacks.onClose}
    >
      <DialogText>
        {target.all === undefined ? null : `${t('operations.exportsAll', { shown: target.all })} `}
        {t('operations.about.export', { max: shown.count(limits.exportRows) })}
      </DialogText>
      <DialogField label={t('operations.fields.format')}>
        <Segmented
          label={t('operations.fields.format')}
          onChange={setFormat}
          options={[
            { value: 'csv', label: 'CSV' },
            { value: 'xlsx', label: 'XLSX' },
          ]}
          value={format}
        />
      </DialogField>
      <Refusal reason={refusal} />
    </DialogContent>
  );
};
