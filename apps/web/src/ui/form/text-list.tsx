import { Tag } from 'antd';
import { useTranslation } from 'react-i18next';
import { Select, type SelectProps } from '../select/index.ts';
import styles from './form.module.css';

type Option = NonNullable<SelectProps['options']>[number];

/** Props that the surrounding field passes, and suggestions while typing. */
type Given<O extends Option> = Pick<
  SelectProps<string[], O>,
  | 'id'
  | 'aria-required'
  | 'aria-invalid'
  | 'aria-describedby'
  | 'autoFocus'
  | 'disabled'
  | 'placeholder'
  | 'options'
  | 'optionRender'
  | 'getPopupContainer'
>;

export interface TextListProps<O extends Option> extends Given<O> {
  value?: readonly string[];
  onChange?: (value: string[]) => void;
  /** Characters that end a typed value, and separate pasted ones. */
  separators: readonly string[];
  isWrong: (value: string) => boolean;
  /** What is wrong with the list, shown under the field; requires an `id`. */
  problem?: string | undefined;
  /** Interprets parts that were typed or pasted; by default they are used unchanged. */
  read?: (parts: readonly string[]) => string[];
}

/** Several short texts in one field, each a tag: typed one by one, or pasted as a list. Invalid ones are highlighted. */
export const TextList = <O extends Option = Option>({
  value = [],
  separators,
  isWrong,
  problem,
  read = (parts) => [...parts],
  onChange,
  ...rest
}: TextListProps<O>) => {
  const { t } = useTranslation();
  const change = (values: readonly string[]): void => {
    const all = values.map((one) => one.trim()).filter((one) => one !== '');
    const known = value.filter((one) => all.includes(one));
    const added = all.filter((one) => !value.includes(one));
    onChange?.([...new Set([...known, ...read(added)])]);
  };
  const problemId = `${rest.id}-problem`;
  return (
    <>
      <Select<string[], O>
        {...(rest.options ? {} : { open: false, suffixIcon: null })}
        {...rest}
        {...(problem === undefined ? {} : { 'aria-invalid': true, 'aria-describedby': problemId })}
        mode="tags"
        onChange={change}
        tagRender={({ value: text, closable, onClose }) => (
          <Tag
            className={`${styles['tag']} ${isWrong(String(text)) ? styles['error'] : ''}`}
            closable={closable ? { 'aria-label': t('kit.form.removeItem', { item: String(text) }) } : false}
            onClose={onClose}
            // A click on a tag must not open or blur the surrounding field.
            onMouseDown={(event) => event.stopPropagation()}
          >
            {text}
          </Tag>
        )}
        tokenSeparators={[...separators]}
        value={[...value]}
      />
      {problem === undefined ? null : (
        <span className={styles['problem']} id={problemId} role="alert">
          {problem}
        </span>
      )}
    </>
  );
};
