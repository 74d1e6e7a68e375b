import { limits } from '@simcube/contract';
import { type InputHTMLAttributes, type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import styles from './fields.module.css';

type Attributes = Pick<
  InputHTMLAttributes<HTMLInputElement>,
  'name' | 'type' | 'autoComplete' | 'autoFocus' | 'inputMode' | 'maxLength' | 'placeholder' | 'onKeyUp'
>;

interface TextFieldProps extends Attributes {
  label: string;
  hint?: string | undefined;
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
  /** At the other end of the label's line. */
  aside?: ReactNode;
  /** Inside the field, at its end. */
  extra?: ReactNode;
}

/** A labelled field with its message below, associated for screen readers. */
export const TextField = ({
  label,
  hint,
  value,
  problem,
  onChange,
  aside,
  extra,
  ...attributes
}: TextFieldProps) => {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={styles['field']}>
      <div className={styles['labels']}>
        <label className={styles['label']} htmlFor={id}>
          {label}
        </label>
        {aside}
      </div>
      <div className={styles['box']}>
        <input
          {...attributes}
          id={id}
          className={styles['input']}
          value={value}
          aria-invalid={problem !== undefined}
          aria-describedby={note === undefined ? undefined : `${id}-note`}
          onChange={(event) => onChange(event.target.value)}
        />
        {extra}
      </div>
      {note === undefined ? null : (
        <p id={`${id}-note`} className={problem === undefined ? styles['hint'] : styles['problem']}>
          {note}
        </p>
      )}
    </div>
  );
};

interface PasswordFieldProps {
  name?: string;
  label?: string;
  hint?: string | undefined;
  /** `new-password` lets the browser suggest one. */
  autoComplete?: 'current-password' | 'new-password';
  value: string;
  problem: string | undefined;
  onChange: (value: string) => void;
  aside?: ReactNode;
  /** Reveals the password, for example after one was generated. */
  shown?: boolean;
}

export const PasswordField = ({
  name = 'password',
  label,
  hint,
  autoComplete = 'current-password',
  shown: shownAtFirst = false,
  ...field
}: PasswordFieldProps) => {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<boolean | null>(null);
  const [capsLock, setCapsLock] = useState(false);
  const shown = chosen ?? shownAtFirst;
  const watchCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'));
  return (
    <TextField
      {...field}
      name={name}
      type={shown ? 'text' : 'password'}
      autoComplete={autoComplete}
      maxLength={limits.password.max}
      label={label ?? t('identity.login.password')}
      hint={capsLock ? t('identity.login.capsLock') : hint}
      onKeyUp={watchCapsLock}
      extra={
        <button
          type="button"
          className={styles['eye']}
          aria-label={t(shown ? 'identity.login.hidePassword' : 'identity.login.showPassword')}
          aria-pressed={shown}
          onClick={() => setChosen(!shown)}
        >
          <svg
            viewBox="0 0 16 16"
            width="16"
            height="16"
            fill="none"
            stroke="currentColor"
            aria-hidden="true"
          >
            <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z" strokeWidth="1.3" />
            <circle cx="8" cy="8" r="2" strokeWidth="1.3" />
            {shown ? null : <path d="M3 13 13 3" strokeWidth="1.3" strokeLinecap="round" />}
          </svg>
        </button>
      }
    />
  );
};
