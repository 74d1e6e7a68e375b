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
  /** The field was entered, or left. */
  onEdit: (editing: boolean) => void;
}

/**
 * Searches as one types, after a pause or when the field is left, but not for letters that an input method still composes a
 * word of; `/` brings the cursor here from anywhere on the page.
 */
export const QuickSearch = ({ value, placeholder, maxLength, onChange, onEdit }: QuickSearchProps) => {
  const input = useRef<InputRef>(null);
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  const [composing, setComposing] = useState(false);
  // The URL changed under us (back, a cleared filter): it is right, unless it only echoes what was typed.
  if (value !== known) {
    setKnown(value);
    if (value !== text.trim()) setText(value);
  }

  // Screens draw again at any time (live news): only typing may restart the debounce.
  const report = useEffectEvent(onChange);
  useEffect(() => {
    const wanted = text.trim();
    if (composing || wanted === value) return;
    const timer = setTimeout(() => report(wanted), limits.searchDebounceMs);
    return () => clearTimeout(timer);
  }, [text, value, composing]);

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
        if (text.trim() !== value) onChange(text.trim());
        onEdit(false);
      }}
      onChange={(event) => setText(event.target.value)}
      onCompositionEnd={() => setComposing(false)}
      onCompositionStart={() => setComposing(true)}
      onFocus={() => onEdit(true)}
      onPressEnter={() => onChange(text.trim())}
      placeholder={placeholder}
      prefix={<SearchOutlined aria-hidden="true" className={styles['glass']} />}
      ref={input}
      suffix={text === '' ? <kbd className={styles['key']}>{shortcutKeys('search')}</kbd> : null}
      value={text}
    />
  );
};
