import { useEffect, useRef } from 'react';
import styles from './checkbox.module.css';

interface CheckboxProps {
  state: 'none' | 'some' | 'all';
  label: string;
  disabled?: boolean;
  onChange: (on: boolean) => void;
}

/** A native checkbox, dressed: a hundred of these must not slow a table down. The whole cell takes the click. */
export const Checkbox = ({ state, label, disabled = false, onChange }: CheckboxProps) => {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current) input.current.indeterminate = state === 'some';
  }, [state]);
  return (
    <label className={styles['area']}>
      <input
        aria-label={label}
        checked={state === 'all'}
        className={styles['box']}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
        ref={input}
        type="checkbox"
      />
    </label>
  );
};
