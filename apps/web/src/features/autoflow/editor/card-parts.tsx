import type { RuleFileKind } from '@simcube/contract/autoflow';
import { useTranslation } from 'react-i18next';
import styles from '../autoflow.module.css';
import type { Draft, Issues } from './draft.ts';

export interface CardProps {
  draft: Draft;
  issues: Issues;
  disabled: boolean;
  onChange: (change: Partial<Draft>) => void;
}

/** A card whose part of the rule may have a list from a file. */
export interface ListCardProps extends CardProps {
  /** Called when an upload begins and when it ends: until then, the draft has the previous list. */
  onUploading: (kind: RuleFileKind, isUploading: boolean) => void;
}

/** Marks a field as the one that is wrong. */
export const invalidIf = (isInvalid: boolean) =>
  isInvalid ? ({ 'aria-invalid': true, status: 'error' } as const) : {};

/** The error in a part of the rule. */
export const IssueMessage = ({ issue }: { issue: Issues[keyof Issues] }) => {
  const { t } = useTranslation();
  return issue ? (
    <p className={styles['error']} role="alert">
      {'message' in issue ? issue.message : t(`errors.issues.${issue.key}`, { ...issue.values })}
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
