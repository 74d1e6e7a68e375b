import { SearchOutlined } from '@ant-design/icons';
import { limits } from '@simcube/contract';
import { Input, type InputRef } from 'antd';
import { useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { shortcutKeys, useShortcut } from '../shortcuts/index.ts';
import { ClearIcon } from './clear-icon.tsx';
import styles from './filter-bar.module.css';

export interface QuickSearchProps {
  value: string;
  placeholder: string;
  maxLength: number;
  /** Whether a text can be searched for, if not all can; others remove the previous search. */
  isValid?: ((text: string) => boolean) | undefined;
  /** What can be searched for, if not every text. */
  problem?: string | undefined;
  onChange: (value: string) => void;
  /** The field was focused or left. */
  onEdit: (editing: boolean) => void;
}

/**
 * Searches while the person types, after a pause, or when the field is left, but not during composition with an input method; `/`
 * focuses the field from anywhere on the page.
 */
export const QuickSearch = ({
  value,
  placeholder,
  maxLength,
  isValid = () => true,
  problem,
  onChange,
  onEdit,
}: QuickSearchProps) => {
  const id = useId();
  const input = useRef<InputRef>(null);
  const [text, setText] = useState(value);
  const [searched, setSearched] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [composing, setComposing] = useState(false);
  const wanted = text.trim();
  // Only once it was searched for: while the person types, most texts are incomplete.
  const isRefused = wanted === searched && !isValid(wanted);
  // The URL was changed elsewhere (back, a removed filter): it takes precedence, unless it only echoes the typed text.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== (isRefused ? '' : wanted)) setText(value);
  }

  const search = (): void => {
    setSearched(wanted);
    const next = isValid(wanted) ? wanted : '';
    if (next !== value) onChange(next);
  };
  // Screens may re-render at any time (live news): only typing may restart the debounce.
  const searchLater = useEffectEvent(search);
  useEffect(() => {
    if (composing || text.trim() === value) return;
    const timer = setTimeout(() => searchLater(), limits.searchDebounceMs);
    return () => clearTimeout(timer);
  }, [text, value, composing]);

  useShortcut('search', (event) => {
    event.preventDefault();
    input.current?.focus({ cursor: 'all' });
  });

  return (
    <Input
      allowClear={{ clearIcon: <ClearIcon /> }}
      aria-describedby={isRefused ? id : undefined}
      aria-invalid={isRefused}
      aria-label={placeholder}
      className={styles['search'] ?? ''}
      maxLength={maxLength}
      onBlur={() => {
        search();
        onEdit(false);
      }}
      onChange={(event) => setText(event.target.value)}
      onCompositionEnd={() => setComposing(false)}
      onCompositionStart={() => setComposing(true)}
      onFocus={() => onEdit(true)}
      onPressEnter={search}
      placeholder={placeholder}
      prefix={<SearchOutlined aria-hidden="true" className={styles['glass']} />}
      ref={input}
      suffix={
        isRefused ? (
          <span className={styles['problem']} id={id} role="alert">
            {problem}
          </span>
        ) : text === '' ? (
          <kbd className={styles['key']}>{shortcutKeys('search')}</kbd>
        ) : null
      }
      {...(isRefused ? { status: 'error' as const } : {})}
      value={text}
    />
  );
};
