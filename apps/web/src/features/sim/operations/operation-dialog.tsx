import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type OrderCallbacks, refetchOnRefusal, useOrder } from '../../../lib/orders/index.ts';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import { Refusal } from '../../../ui/failure/index.ts';
import {
  addedTagsSchema,
  formFor,
  isDangerous,
  isText,
  type OperationValues,
  type PlainOperation,
  type Target,
  textSchemas,
  titleForOne,
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
export const OperationDialog = (props: OperationDialogProps) => {
  const { t } = useTranslation();
  const { name, target, onClose } = props;
  const title = target.iccid === undefined ? (`operations.titles.${name}` as const) : titleForOne(name);
  return (
    <Dialog onClose={onClose} open subject={target.iccid} title={t(title)} width={520}>
      <OperationForm {...props} />
    </Dialog>
  );
};

const OperationForm = ({ name, target, ...callbacks }: OperationDialogProps) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder(callbacks);
  const format = useFormat();
  // A single SIM's text is unknown until its current one is loaded.
  const [values, setValues] = useState<OperationValues>(
    isText(name) && target.iccid !== undefined ? {} : initialValues[name],
  );
  // The text being set does not affect which SIMs are refused, so typing does not request a new preview.
  const previewValues = isText(name) ? initialValues[name] : values;
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
  const send = () => refetchOnRefusal(submitOperation({ name, target, values }, preview), refetch);
  const canSubmit =
    changing > 0 && !isInputMissing && (expectedText === null || typedText.trim() === expectedText);
  return (
    <DialogContent
      actions={
        <Button
          danger={isDangerous(name) || clearedField !== undefined}
          disabled={!canSubmit}
          htmlType="submit"
          loading={sending}
          type="primary"
        >
          {changing === 0
            ? t(titleForOne(name))
            : t(`operations.actions.${name}`, { count: changing, shown: format.count(changing) })}
        </Button>
      }
      onCancel={callbacks.onClose}
      onSubmit={() => {
        if (canSubmit) submit(send);
      }}
    >
      <DialogText>{t(`operations.about.${name}`, formFor(target))}</DialogText>
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

const isIncomplete = (name: PlainOperation, values: OperationValues): boolean => {
  const { add, remove, bundle_code } = values;
  if (isText(name)) {
    const text = textOf(name, values);
    return text === undefined || !textSchemas[name].safeParse(text).success;
  }
  if (name === 'tags') return (!add?.length && !remove?.length) || !addedTagsSchema.safeParse(add).success;
  return (name === 'topUp' || name === 'changeBundle') && bundle_code === undefined;
};

/** An empty text removes the current one. */
const fieldClearedBy = (name: PlainOperation, values: OperationValues) =>
  isText(name) && textOf(name, values) === null ? name : undefined;

/** Undefined until the current one is known. */
const textOf = (name: 'deviceName' | 'notes', { device_name, notes }: OperationValues) =>
  name === 'deviceName' ? device_name : notes;

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
