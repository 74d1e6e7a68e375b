import { Select as AntSelect, type SelectProps } from 'antd';
import type { KeyboardEvent } from 'react';
import styles from './select.module.css';

export type { SelectProps };

type AnyOption = NonNullable<SelectProps['options']>[number];

/** antd takes Tab for Enter: it would choose whatever is highlighted on the way past. */
const leave = (event: KeyboardEvent): void => {
  if (event.key === 'Tab') event.stopPropagation();
};

/** One or some of a set that may be long. Enter and Space choose, Tab goes on and chooses nothing. */
export const Select = <Value, Option extends AnyOption = AnyOption>(props: SelectProps<Value, Option>) => (
  <span className={styles['select']} onKeyDownCapture={leave}>
    <AntSelect<Value, Option> {...props} />
  </span>
);
