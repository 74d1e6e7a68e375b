import { type ChangeEvent, useEffect, useRef } from 'react';
import { useTabIndex } from '../focus/index.ts';
import styles from './checkbox.module.css';

interface CheckboxProps {
  state: 'none' | 'some' | 'all';
  label: string;
  disabled?: boolean;
  /** For a group that is one tab stop; by default, that of the row that contains it. */
  tabIndex?: 0 | -1;
  /** `withShift`: applies to all rows from the previous change to this one. */
  onChange: (on: boolean, withShift: boolean) => void;
}

const hadShift = ({ nativeEvent }: ChangeEvent): boolean =>
  nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;

/** A styled native checkbox: a hundred of them must not slow a table down. The whole cell is clickable. */
export const Checkbox = ({ state, label, disabled = false, tabIndex, onChange }: CheckboxProps) => {
  const inRow = useTabIndex();
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
        onChange={(event) => onChange(event.currentTarget.checked, hadShift(event))}
        ref={input}
        tabIndex={tabIndex ?? inRow}
        type="checkbox"
      />
    </label>
  );
};
