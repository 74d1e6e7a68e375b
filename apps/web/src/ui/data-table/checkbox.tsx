import { type ChangeEvent, useEffect, useRef } from 'react';
import { useTabIndex } from '../focus/index.ts';
import styles from './checkbox.module.css';

interface CheckboxProps {
  state: 'none' | 'some' | 'all';
  label: string;
  disabled?: boolean;
  /** One tab stop with others; without it, that of the row it stands in. */
  tabIndex?: 0 | -1;
  /** With Shift, all from the one before to this one are meant. */
  onChange: (on: boolean, withShift: boolean) => void;
}

const hadShift = ({ nativeEvent }: ChangeEvent): boolean =>
  nativeEvent instanceof MouseEvent && nativeEvent.shiftKey;

/** A native checkbox, dressed: a hundred of these must not slow a table down. The whole cell takes the click. */
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
