import { Input } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import type { Target } from './operation.ts';
import styles from './operations.module.css';

/** What has to be typed before something that can't be undone: the end of the one ICCID, or how many SIMs there are. */
export const confirmationOf = ({ iccid }: Target, count: number): string => iccid?.slice(-6) ?? String(count);

interface TypedConfirmationProps {
  target: Target;
  word: string;
  value: string;
  disabled: boolean;
  onChange: (text: string) => void;
}

export const TypedConfirmation = ({ target, word, value, disabled, onChange }: TypedConfirmationProps) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {t(target.iccid ? 'operations.confirmIccid' : 'operations.confirmCount', { word })}
      </label>
      <Input
        autoComplete="off"
        disabled={disabled}
        id={id}
        // The last of an ICCID may be letters.
        inputMode={/^\d+$/.test(word) ? 'numeric' : 'text'}
        onChange={({ target: field }) => onChange(field.value)}
        value={value}
      />
    </div>
  );
};
