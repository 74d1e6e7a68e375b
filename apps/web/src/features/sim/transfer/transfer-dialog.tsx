import { Button } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type OrderCallbacks, useOrder } from '../../../lib/orders/index.ts';
import { Dialog, DialogContent, DialogField, DialogText } from '../../../ui/dialog/index.ts';
import { Failure, Refusal } from '../../../ui/failure/index.ts';
import { Segmented } from '../../../ui/segmented/index.ts';
import { Select } from '../../../ui/select/index.ts';
import type { Target } from '../operations/operation.ts';
import { PreviewSummary } from '../operations/preview-summary.tsx';
import { InvalidRows } from './info-tables.tsx';
import { TransferFile } from './transfer-file.tsx';
import { useTransferTargets } from './use-targets.ts';
import { type ParsedFile, submitTransfer, useTransferPreview } from './use-transfer.ts';

interface TransferDialogProps extends OrderCallbacks {
  /** The selected SIMs; if undefined, only a file can name them. */
  target: Target | undefined;
}

/** Moves SIMs with their orders to another organisation, by selection or by file. */
export const TransferDialog = ({ target, onAccepted, onClose }: TransferDialogProps) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder({ onAccepted, onClose });
  return (
    <Dialog
      persistent={sending}
      onClose={onClose}
      open
      subject={target?.iccid}
      title={t('operations.titles.transfer')}
      width={560}
    >
      <TransferForm onCancel={onClose} refusal={refusal} sending={sending} submit={submit} target={target} />
    </Dialog>
  );
};

interface TransferFormProps extends Pick<ReturnType<typeof useOrder>, 'sending' | 'refusal' | 'submit'> {
  target: Target | undefined;
  onCancel: () => void;
}

const TransferForm = ({ target, sending, refusal, submit, onCancel }: TransferFormProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const id = useId();
  const organisations = useTransferTargets();
  const { code } = organisations;
  const [source, setSource] = useState<'selection' | 'file'>(target ? 'selection' : 'file');
  // The meaning of a file depends on its target: it is read for one organisation, even if another is chosen in the meantime.
  const [files, setFiles] = useState<Readonly<Record<string, ParsedFile | undefined>>>({});
  const file = files[code ?? ''];
  const selection = source === 'selection' ? target?.selection : undefined;
  const selectionPreview = useTransferPreview({ code, selection });
  const preview = source === 'selection' ? selectionPreview.data : file?.preview;
  const changing = preview?.changing ?? 0;
  if (organisations.error)
    return <Failure error={organisations.error} onRetry={() => void organisations.refetch()} />;

  const send = (): void => {
    if (code === undefined) return;
    const sims = source === 'selection' ? { selection } : { upload_id: file?.upload_id };
    submit(() => submitTransfer({ target_code: code, ...sims }));
  };
  return (
    <DialogContent
      actions={
        <>
          <Button onClick={onCancel}>{t('common.actions.cancel')}</Button>
          <Button
            disabled={code === undefined || changing === 0}
            loading={sending}
            onClick={send}
            type="primary"
          >
            {changing === 0
              ? t('operations.verbs.transfer')
              : t('operations.actions.transfer', { count: changing, shown: format.count(changing) })}
          </Button>
        </>
      }
    >
      <DialogText>{t('operations.about.transfer')}</DialogText>
      <DialogField htmlFor={`${id}-to`} label={t('operations.fields.target')}>
        <Select<string>
          autoFocus
          disabled={sending}
          id={`${id}-to`}
          loading={organisations.isFetching}
          notFoundContent={
            organisations.isFetching
              ? null
              : t(organisations.isSearch ? 'shell.organisations.noMatchTitle' : 'operations.noTargets')
          }
          onChange={organisations.choose}
          options={organisations.targets.map(({ code: value, name }) => ({
            value,
            label: t('kit.marks.aside', { text: name, note: value }),
          }))}
          placeholder={t('operations.fields.targetHint')}
          showSearch={organisations.showSearch}
          {...(code === undefined ? {} : { value: code })}
        />
      </DialogField>
      {target ? (
        <Segmented
          label={t('operations.fields.source')}
          onChange={setSource}
          options={[
            { value: 'selection', label: t('operations.bySelection') },
            { value: 'file', label: t('operations.byFile') },
          ]}
          value={source}
        />
      ) : null}
      {source === 'file' ? (
        <TransferFile
          code={code}
          file={file}
          key={code}
          onFile={(parsed) => setFiles((all) => ({ ...all, [code ?? '']: parsed }))}
        />
      ) : null}
      {code !== undefined && (source === 'selection' || file) ? (
        <PreviewSummary
          error={source === 'selection' ? selectionPreview.error : null}
          name="transfer"
          onRetry={() => void selectionPreview.refetch()}
          preview={preview}
        />
      ) : null}
      {source === 'file' && file ? <InvalidRows {...file} /> : null}
      <Refusal reason={refusal} />
    </DialogContent>
  );
};
