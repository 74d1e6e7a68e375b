import { limits } from '@simcube/contract';
import { Select as AntSelect, type SelectProps } from 'antd';
import { type KeyboardEvent, useState } from 'react';
import { useDebounced } from '../../lib/debounce/index.ts';
import styles from './select.module.css';

export type { SelectProps };

type AnyOption = NonNullable<SelectProps['options']>[number];

/** antd treats Tab as Enter: it would choose the highlighted option when the person tabs past. */
const leave = (event: KeyboardEvent): void => {
  if (event.key === 'Tab') event.stopPropagation();
};

/** A choice of one or several from a possibly long set. Enter and Space choose; Tab moves on without choosing. */
export const Select = <Value, Option extends AnyOption = AnyOption>(props: SelectProps<Value, Option>) => (
  <span className={styles['select']} onKeyDownCapture={leave}>
    <AntSelect<Value, Option> {...props} />
  </span>
);

/**
 * For a select whose options are searched on the server.
 * @param maxLength of the search text that the server accepts
 */
export const useServerSearch = (maxLength: number) => {
  const [typed, setTyped] = useState('');
  const onSearch = (text: string): void => setTyped(text.slice(0, maxLength));
  return {
    search: useDebounced(typed.trim(), limits.searchDebounceMs),
    showSearch: { filterOption: false, searchValue: typed, onSearch },
  };
};
