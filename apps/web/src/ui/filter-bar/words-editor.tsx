import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Select } from '../select/index.ts';
import { shortened, type WordsFilter } from './filter.ts';
import styles from './filter-bar.module.css';
import { Problem, problemProps } from './problem.tsx';

/** Beyond this number, words are only counted, because each is a button. */
const shownWords = 50;

/** Applies the valid words; others stay in the field, with an error message that names them. */
export const WordsEditor = ({ filter, inForm }: { filter: WordsFilter; inForm: boolean }) => {
  const { t } = useTranslation();
  const id = useId();
  const applied = filter.value ?? [];
  const [rejected, setRejected] = useState<{ words: string[]; problem: string } | undefined>();
  const change = (values: readonly string[]): void => {
    const words = [...new Set(values.map((value) => value.trim()))].filter(Boolean);
    const valid = words.filter((word) => filter.problem?.(word) === undefined);
    const invalid = words.filter((word) => !valid.includes(word));
    const fitting = valid.slice(0, filter.max);
    const problem =
      invalid[0] === undefined
        ? t('errors.issues.tooMany', { max: filter.max })
        : (filter.problem?.(invalid[0]) ?? '');
    const others = [...invalid, ...valid.slice(filter.max)];
    setRejected(others.length > 0 ? { words: others, problem } : undefined);
    if (fitting.join() !== applied.join()) filter.onChange(fitting.length > 0 ? fitting : undefined);
  };
  return (
    <>
      <Select
        aria-label={filter.label}
        autoFocus={!inForm}
        className={styles['words'] ?? ''}
        maxTagCount={shownWords}
        mode="tags"
        onChange={change}
        options={filter.suggestions.map((value) => ({ value, label: value }))}
        placeholder={filter.placeholder}
        tokenSeparators={[...(filter.separators ?? [','])]}
        {...problemProps(id, rejected?.problem)}
        value={[...applied, ...(rejected?.words ?? [])]}
      />
      <Problem id={id}>{rejected && `${rejected.problem} (${shortened(rejected.words)})`}</Problem>
    </>
  );
};
