import type { ReactNode } from 'react';
import styles from './content.module.css';

interface DialogContentProps {
  /** The buttons. */
  actions: ReactNode;
  /** Makes it a form, which Enter submits, too. */
  onSubmit?: () => void;
  children: ReactNode;
}

/** The content of a dialog, above its buttons. */
export const DialogContent = ({ actions, onSubmit, children }: DialogContentProps) => {
  const content = (
    <>
      {children}
      <footer className={styles['actions']}>{actions}</footer>
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
