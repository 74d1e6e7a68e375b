import { Button } from 'antd';
import { type ReactNode, use } from 'react';
import { useTranslation } from 'react-i18next';
import { EnclosureContext } from '../../lib/submit/index.ts';
import { useLeave } from '../unsaved/index.ts';
import styles from './content.module.css';

interface DialogContentProps {
  /** The buttons, after *Cancel*. */
  actions: ReactNode;
  /** Adds *Cancel*, which asks before unsaved changes are lost. */
  onCancel?: () => void;
  /** Makes it a form, which Enter submits, too. */
  onSubmit?: () => void;
  children: ReactNode;
}

/** The content of a dialog, above its buttons. */
export const DialogContent = ({ actions, onCancel, onSubmit, children }: DialogContentProps) => {
  const content = (
    <>
      {children}
      <footer className={styles['actions']}>
        {onCancel ? <Cancel onCancel={onCancel} /> : null}
        {actions}
      </footer>
    </>
  );
  if (!onSubmit) return <div className={styles['content']}>{content}</div>;
  return (
    <form
      className={styles['content']}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {content}
    </form>
  );
};

/** Leaves the form or dialog after confirmation, and not while something in it is being sent. */
export const Cancel = ({ onCancel }: { onCancel: () => void }) => {
  const { t } = useTranslation();
  const { isSending } = use(EnclosureContext);
  const leave = useLeave();
  return (
    <Button disabled={isSending} onClick={() => leave(onCancel)}>
      {t('common.actions.cancel')}
    </Button>
  );
};

export const DialogText = ({ children }: { children: ReactNode }) => (
  <p className={styles['text']}>{children}</p>
);

interface DialogFieldProps {
  label: ReactNode;
  /** The id of the field that the label names. */
  htmlFor?: string;
  /** The id of the label, for what names itself by it. */
  labelId?: string;
  children: ReactNode;
}

/** A field under its label. */
export const DialogField = ({ label, htmlFor, labelId, children }: DialogFieldProps) => (
  <div className={styles['field']}>
    {htmlFor === undefined ? (
      <span className={styles['label']} id={labelId}>
        {label}
      </span>
    ) : (
      <label className={styles['label']} htmlFor={htmlFor}>
        {label}
      </label>
    )}
    {children}
  </div>
);
