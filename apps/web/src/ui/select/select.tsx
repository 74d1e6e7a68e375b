import { limits } from '@simcube/contract';
import { Select as AntSelect, type SelectProps } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { useDebounced } from '../../lib/debounce/index.ts';
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

/**
 * For a select whose options the server finds by what is typed.
 * @param maxLength characters that the server takes
 */
export const useServerSearch = (maxLength: number) => {
  const [typed, setTyped] = useState('');
  const onSearch = (text: string): void => setTyped(text.slice(0, maxLength));
  return {
    search: useDebounced(typed.trim(), limits.searchDebounceMs),
    showSearch: { filterOption: false, searchValue: typed, onSearch },
  };
};
