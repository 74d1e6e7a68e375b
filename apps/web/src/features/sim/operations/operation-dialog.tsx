import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type Order, type OrderCallbacks, useOrder } from '../../../lib/orders/index.ts';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import { useLeave } from '../../../ui/unsaved/index.ts';
import {
  addedTagsSchema,
  isDangerous,
  type OperationValues,
  type PlainOperation,
  type Target,
} from './operation.ts';
import { OperationFields } from './operation-fields.tsx';
import { PreviewSummary } from './preview-summary.tsx';
import { confirmationText, TypedConfirmation } from './typed-confirmation.tsx';
import { submitOperation, usePreview } from './use-preview.ts';

export interface OperationDialogProps extends OrderCallbacks {
  name: PlainOperation;
  target: Target;
}

/** One operation on some SIMs: description, value, preview, then the order. */
export const OperationDialog = ({ name, target, onAccepted, onClose }: OperationDialogProps) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder({ onAccepted, onClose });
  return (
    <Dialog
      persistent={sending}
      onClose={onClose}
      open
      subject={target.iccid}
      title={t(`operations.titles.${name}`)}
      width={520}
    >
      <OperationForm
        name={name}
        onCancel={onClose}
        onSubmit={submit}
        refusal={refusal}
        sending={sending}
        target={target}
      />
    </Dialog>
  );
};

interface OperationFormProps {
  name: PlainOperation;
  target: Target;
  sending: boolean;
  refusal: string | undefined;
  onSubmit: Order['submit'];
  onCancel: () => void;
}

const OperationForm = ({ name, target, sending, refusal, onSubmit, onCancel }: OperationFormProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [values, setValues] = useState<OperationValues>(initialValues[name]);
  // The text being set does not affect which SIMs are refused, so typing does not request a new preview.
  const previewValues = name === 'deviceName' || name === 'notes' ? initialValues[name] : values;
  const isInputMissing = isIncomplete(name, values);
  const {
    data: preview,
    error,
    refetch,
  } = usePreview({ name, target, values: previewValues }, !isInputMissing);
  const changing = preview?.changing ?? 0;
  const clearedField = fieldClearedBy(name, values);
  const expectedText = name === 'terminate' && changing > 0 ? confirmationText(target, changing) : null;
  const [typedText, setTypedText] = useState('');
  const leave = useLeave();
  // After a refusal, the preview is outdated.
  const send = () =>
    submitOperation({ name, target, values }, preview?.digest).catch((reason: unknown) => {
      void refetch();
      throw reason;
    });
  const canSubmit =
    changing > 0 && !isInputMissing && (expectedText === null || typedText.trim() === expectedText);
  return (
    <DialogContent
      actions={
        <>
          <Button onClick={() => leave(onCancel)}>{t('common.actions.cancel')}</Button>
          <Button
            danger={isDangerous(name) || clearedField !== undefined}
            disabled={!canSubmit}
            htmlType="submit"
            loading={sending}
            type="primary"
          >
            {changing === 0
              ? t(`operations.${isSetting(name) ? 'titles' : 'verbs'}.${name}`)
              : t(`operations.actions.${name}`, { count: changing, shown: format.count(changing) })}
          </Button>
        </>
      }
      onSubmit={() => {
        if (canSubmit && !sending) onSubmit(send);
      }}
    >
      <DialogText>{t(`operations.about.${name}`)}</DialogText>
      <OperationFields disabled={sending} name={name} onChange={setValues} target={target} values={values} />
      {isInputMissing ? null : (
        <PreviewSummary
          clearedField={clearedField}
          error={error}
          name={name}
          onRetry={() => void refetch()}
          preview={preview}
        />
      )}
      {expectedText === null ? null : (
        <TypedConfirmation
          disabled={sending}
          onChange={setTypedText}
          target={target}
          value={typedText}
          expectedText={expectedText}
        />
      )}
      <Refusal reason={refusal} />
    </DialogContent>
  );
};

const isIncomplete = (name: PlainOperation, { add, remove, bundle_code }: OperationValues): boolean => {
  if (name === 'tags') return (!add?.length && !remove?.length) || !addedTagsSchema.safeParse(add).success;
  return (name === 'topUp' || name === 'changeBundle') && bundle_code === undefined;
};

/** An empty text removes the current one. */
const fieldClearedBy = (name: PlainOperation, { device_name, notes }: OperationValues) => {
  if (name === 'deviceName' && device_name == null) return name;
  return name === 'notes' && notes == null ? name : undefined;
};

/** The names of setting operations are nouns, which are not suitable for a button. */
const isSetting = (name: PlainOperation): boolean =>
  name === 'tags' || name === 'deviceName' || name === 'notes';

const initialValues: Record<PlainOperation, OperationValues> = {
  activate: {},
  suspend: {},
  resume: {},
  reset: {},
  renew: {},
  topUp: {},
  changeBundle: { when: 'at-end' },
  tags: { add: [], remove: [] },
  deviceName: { device_name: null },
  notes: { notes: null },
  suspendMt: {},
  resumeMt: {},
  terminate: {},
};
