import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Issue } from './draft.ts';
import styles from './editor.module.css';

interface FieldProps {
  label: string;
  id: string;
  /** At the right end of the label. */
  extra?: ReactNode;
  issue?: Issue | undefined;
  children: ReactNode;
}

/** A field of the editor with its label and its error. */
export const Field = ({ label, id, extra, issue, children }: FieldProps) => {
  const { t } = useTranslation();
  return (
    <div className={styles['field']}>
      <div className={styles['label']}>
        <label htmlFor={id}>{label}</label>
        <span className={styles[issue?.key === 'tooLong' ? 'error' : 'faint']}>{extra}</span>
      </div>
      {children}
      {issue ? (
        <p className={styles['error']} role="alert">
          {t(`errors.issues.${issue.key}`, { ...issue.values })}
        </p>
      ) : null}
    </div>
  );
};
