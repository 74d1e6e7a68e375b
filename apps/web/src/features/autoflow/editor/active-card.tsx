import { Input, Switch } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useZoneName } from '../../../ui/time/index.ts';
import styles from '../autoflow.module.css';
import { type CardProps, IssueMessage, invalidIf, StepTitle } from './card-parts.tsx';
import { inputValueOf, instantOf } from './date-time-input.ts';
import type { Issues } from './draft.ts';

/** The period in which the rule is active. */
export const ActiveCard = ({ draft, issues, disabled, onChange }: CardProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <Card title={<StepTitle name={t('autoflow.steps.active')} number={4} />}>
      <div className={styles['period']}>
        <Moment
          disabled={disabled}
          empty={t('autoflow.atOnce')}
          issue={issues.active_from}
          label={t('autoflow.fields.activeFrom')}
          onValue={(activeFrom) => onChange({ activeFrom })}
          value={draft.activeFrom}
        />
        <Moment
          disabled={disabled}
          empty={t('autoflow.never')}
          issue={issues.active_until}
          label={t('autoflow.fields.activeUntil')}
          onValue={(activeUntil) => onChange({ activeUntil })}
          value={draft.activeUntil}
        />
      </div>
      <div className={styles['line']}>
        <label htmlFor={id}>{t('autoflow.conditions.enabled')}</label>
        <Switch
          checked={draft.enabled}
          disabled={disabled}
          id={id}
          onChange={(enabled) => onChange({ enabled })}
          size="small"
        />
      </div>
      <p className={styles['faint']}>{t('autoflow.judges')}</p>
    </Card>
  );
};

interface MomentProps {
  label: string;
  /** The meaning of an empty field. */
  empty: string;
  value: string | null;
  disabled: boolean;
  issue: Issues['active_from'];
  onValue: (value: string | null) => void;
}

const Moment = ({ label, empty, value, disabled, issue, onValue }: MomentProps) => {
  const id = useId();
  const { zone, dateTime } = useFormat();
  const zoneName = useZoneName();
  return (
    <>
      <label htmlFor={id}>{label}</label>
      <div className={styles['moment']}>
        <Input
          disabled={disabled}
          id={id}
          onChange={({ target }) => onValue(instantOf(target.value, zone))}
          {...invalidIf(issue !== undefined)}
          style={{ width: 'auto' }}
          type="datetime-local"
          value={inputValueOf(value, zone)}
        />
        <span>{zoneName}</span>
        {/* Browsers write the field in their own language. */}
        <span className={styles['faint']}>{value === null ? empty : dateTime(value)}</span>
        <IssueMessage issue={issue} />
      </div>
    </>
  );
};
