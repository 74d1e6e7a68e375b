import { Segmented as AntSegmented } from 'antd';
import type { ReactNode } from 'react';
import styles from './segmented.module.css';

export interface SegmentedProps<Value extends string> {
  /** What is chosen, for screen readers. */
  label: string;
  options: readonly { value: Value; label: ReactNode; disabled?: boolean }[];
  value: Value;
  onChange: (value: Value) => void;
  small?: boolean;
}

/** A choice of one from a few visible options. */
export const Segmented = <Value extends string>({
  label,
  options,
  value,
  onChange,
  small = false,
}: SegmentedProps<Value>) => (
  <AntSegmented<Value>
    aria-label={label}
    className={styles['segmented'] ?? ''}
    onChange={onChange}
    options={[...options]}
    size={small ? 'small' : 'middle'}
    // Only the chosen option is a tab stop: antd would make the group another one.
    tabIndex={-1}
    value={value}
  />
);
