import { SearchOutlined } from '@ant-design/icons';
import { limits } from '@simcube/contract';
import { Input, type InputRef } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { shortcutKeys, useShortcut } from '../shortcuts/index.ts';
import styles from './filter-bar.module.css';

export interface QuickSearchProps {
  value: string;
  placeholder: string;
  maxLength: number;
  onChange: (value: string) => void;
  /** The field was focused or left. */
  onEdit: (editing: boolean) => void;
}

/**
 * Searches while the person types, after a pause, or when the field is left, but not during composition with an input method; `/`
 * focuses the field from anywhere on the page.
 */
export const QuickSearch = ({ value, placeholder, maxLength, onChange, onEdit }: QuickSearchProps) => {
  const input = useRef<InputRef>(null);
  const [text, setText] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  const [composing, setComposing] = useState(false);
  // The URL was changed elsewhere (back, a removed filter): it takes precedence, unless it only echoes the typed text.
  if (value !== lastValue) {
    setLastValue(value);
    if (value !== text.trim()) setText(value);
  }

  // Screens may re-render at any time (live news): only typing may restart the debounce.
  const report = useEffectEvent(onChange);
  useEffect(() => {
    const wanted = text.trim();
    if (composing || wanted === value) return;
    const timer = setTimeout(() => report(wanted), limits.searchDebounceMs);
    return () => clearTimeout(timer);
  }, [text, value, composing]);

  const searchNow = (): void => {
    if (text.trim() !== value) onChange(text.trim());
  };

  useShortcut('search', (event) => {
    event.preventDefault();
    input.current?.focus({ cursor: 'all' });
  });

  return (
    <Input
      allowClear
      aria-label={placeholder}
      className={styles['search'] ?? ''}
      maxLength={maxLength}
      onBlur={() => {
        searchNow();
        onEdit(false);
      }}
      onChange={(event) => setText(event.target.value)}
      onCompositionEnd={() => setComposing(false)}
      onCompositionStart={() => setComposing(true)}
      onFocus={() => onEdit(true)}
      onPressEnter={searchNow}
      placeholder={placeholder}
      prefix={<SearchOutlined aria-hidden="true" className={styles['glass']} />}
      ref={input}
      suffix={text === '' ? <kbd className={styles['key']}>{shortcutKeys('search')}</kbd> : null}
      value={text}
    />
  );
};
