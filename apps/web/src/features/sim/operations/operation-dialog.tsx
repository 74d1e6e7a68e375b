import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { type Order, type OrderEnds, useOrder } from '../../../lib/orders/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { useLeave } from '../../../ui/unsaved/index.ts';
import {
  isDangerous,
  type OperationValues,
  type PlainOperation,
  type Target,
  tagsToAdd,
} from './operation.ts';
import { OperationFields } from './operation-fields.tsx';
import styles from './operations.module.css';
import { PreviewSummary } from './preview-summary.tsx';
import { confirmationOf, TypedConfirmation } from './typed-confirmation.tsx';
import { order, usePreview } from './use-preview.ts';

export interface OperationDialogProps extends OrderEnds {
  name: PlainOperation;
  target: Target;
}

/** One operation on some SIMs: description, value, preview, then the order. */
export const OperationDialog = ({ name, target, onStarted, onClose }: OperationDialogProps) => {
  const { t } = useTranslation();
  const { sending, refusal, submit } = useOrder({ onStarted, onClose });
  return (
    <Dialog
      keep={sending}
      onClose={onClose}
      open
      title={
        <>
          {t(`operations.titles.${name}`)}
          {target.iccid ? <span className={styles['one']}>{target.iccid}</span> : null}
        </>
      }
      width={520}
    >
      <Ask
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

interface AskProps {
  name: PlainOperation;
  target: Target;
  sending: boolean;
  refusal: string | undefined;
  onSubmit: Order['submit'];
  onCancel: () => void;
}

const Ask = ({ name, target, sending, refusal, onSubmit, onCancel }: AskProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  const [values, setValues] = useState<OperationValues>(noValues[name]);
  // The text being set does not affect which SIMs are refused, so typing does not request a new preview.
  const asked = name === 'deviceName' || name === 'notes' ? noValues[name] : values;
  const nothingToDo = isIncomplete(name, values);
  const { data: preview, error, refetch } = usePreview({ name, target, values: asked }, !nothingToDo);
  const changing = preview?.changing ?? 0;
  const clears = clearedBy(name, values);
  const word = name === 'terminate' && changing > 0 ? confirmationOf(target, changing) : null;
  const [typed, setTyped] = useState('');
  const leave = useLeave();
  // After a refusal, the preview is outdated.
  const what = { name, target, values };
  const send = (key: string) =>
    order(what, { digest: preview?.digest, key }).catch((reason: unknown) => {
      void refetch();
      throw reason;
    });
  const ready = changing > 0 && !nothingToDo && (word === null || typed.trim() === word);
  return (
    <form
      className={styles['content']}
      onSubmit={(event) => {
        event.preventDefault();
        if (ready && !sending) onSubmit(what, send);
      }}
    >
      <p className={styles['words']}>{t(`operations.about.${name}`)}</p>
      <OperationFields disabled={sending} name={name} onChange={setValues} target={target} values={values} />
      {nothingToDo ? null : (
        <PreviewSummary
          clears={clears}
          error={error}
          name={name}
          onRetry={() => void refetch()}
          preview={preview}
        />
      )}
      {word === null ? null : (
        <TypedConfirmation disabled={sending} onChange={setTyped} target={target} value={typed} word={word} />
      )}
      {refusal ? (
        <p className={styles['wrong']} role="alert">
          {refusal}
        </p>
      ) : null}
      <footer className={styles['footer']}>
        <Button onClick={() => leave(onCancel)}>{t('common.actions.cancel')}</Button>
        <Button
          danger={isDangerous(name) || clears !== undefined}
          disabled={!ready}
          htmlType="submit"
          loading={sending}
          type="primary"
        >
          {changing === 0
            ? t(`operations.${isSetting(name) ? 'titles' : 'verbs'}.${name}`)
            : t(`operations.actions.${name}`, { count: changing, shown: format.count(changing) })}
        </Button>
      </footer>
    </form>
  );
};

const isIncomplete = (name: PlainOperation, { add, remove, bundle_code }: OperationValues): boolean => {
  if (name === 'tags') return (!add?.length && !remove?.length) || !tagsToAdd.safeParse(add).success;
  return (name === 'topUp' || name === 'changeBundle') && bundle_code === undefined;
};

/** An empty text removes the current one. */
const clearedBy = (name: PlainOperation, { device_name, notes }: OperationValues) => {
  if (name === 'deviceName' && device_name == null) return name;
  return name === 'notes' && notes == null ? name : undefined;
};

/** The names of setting operations are nouns, which are not suitable for a button. */
const isSetting = (name: PlainOperation): boolean =>
  name === 'tags' || name === 'deviceName' || name === 'notes';

const noValues: Record<PlainOperation, OperationValues> = {
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
