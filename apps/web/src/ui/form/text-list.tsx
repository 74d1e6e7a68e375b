import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { Select } from '../select/index.ts';
import styles from './form.module.css';

export interface TextListProps {
  /** Handed in by the field around. */
  id?: string;
  value?: readonly string[];
  onChange?: (value: string[]) => void;
  'aria-required'?: boolean;
  /** What ends a value while typing, and parts those that are pasted. */
  separators: readonly string[];
  placeholder?: string;
  isWrong: (value: string) => boolean;
}

/** Several short texts in one field, each a tag: typed one by one, or pasted as a list. Wrong ones stand out. */
export const TextList = ({ value = [], separators, isWrong, onChange, ...rest }: TextListProps) => {
  const { t } = useTranslation();
  return (
    <Select<string[]>
      {...rest}
      mode="tags"
      onChange={(values) => onChange?.(values.map((one) => one.trim()).filter((one) => one !== ''))}
      open={false}
      suffixIcon={null}
      tagRender={({ value: text, closable, onClose }) => (
        <Tag
          className={`${styles['tag']} ${isWrong(String(text)) ? styles['wrong'] : ''}`}
          closable={closable ? { 'aria-label': t('kit.form.removeItem', { item: String(text) }) } : false}
          onClose={onClose}
          // A press on a tag must not open or blur the field around it.
          onMouseDown={(event) => event.stopPropagation()}
        >
          {text}
        </Tag>
      )}
      tokenSeparators={[...separators]}
      value={[...value]}
    />
  );
};
