import { Button } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type OrderCallbacks, refetchOnRefusal, useOrder } from '../../../lib/orders/index.ts';
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
export const TransferDialog = (props: TransferDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog
      onClose={props.onClose}
      open
      subject={props.target?.iccid}
      title={t(isOne(props.target) ? 'operations.verbs.transfer' : 'operations.titles.transfer')}
      width={560}
    >
      <TransferForm {...props} />
    </Dialog>
  );
};

const isOne = (target: Target | undefined): boolean => target?.iccid !== undefined;

const TransferForm = ({ target, ...callbacks }: TransferDialogProps) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder(callbacks);
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
    const order =
      source === 'selection'
        ? () =>
            refetchOnRefusal(
              submitTransfer({ target_code: code, selection }, preview),
              selectionPreview.refetch,
            )
        : // A file names the SIMs itself.
          () => submitTransfer({ target_code: code, upload_id: file?.upload_id });
    submit(order);
  };
  return (
    <DialogContent
      actions={
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
      }
      onCancel={callbacks.onClose}
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
      {target && !isOne(target) ? (
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
