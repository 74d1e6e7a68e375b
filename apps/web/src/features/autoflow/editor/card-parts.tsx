import { useTranslation } from 'react-i18next';
import styles from '../autoflow.module.css';
import type { Draft, Issues } from './draft.ts';

export interface CardProps {
  draft: Draft;
  issues: Issues;
  disabled: boolean;
  onChange: (change: Partial<Draft>) => void;
}

/** The error in a part of the rule. */
export const IssueMessage = ({ issue }: { issue: Issues[keyof Issues] }) => {
  const { t } = useTranslation();
  return issue ? (
    <p className={styles['error']} role="alert">
      {t(`errors.issues.${issue.key}`, { ...issue.values })}
    </p>
  ) : null;
};

/** The number and name of a step. */
export const StepTitle = ({ number, name }: { number: number; name: string }) => (
  <>
    <span aria-hidden="true" className={styles['number']}>
      {number}
    </span>
    {name}
  </>
);
