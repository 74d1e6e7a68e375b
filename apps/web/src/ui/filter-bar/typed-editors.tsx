import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { NumberField } from '../number-field/index.ts';
import { Select } from '../select/index.ts';
import { ClearIcon } from './clear-icon.tsx';
import type { PickFilter, Range, RangeFilter, TextFilter } from './filter.ts';
import styles from './filter-bar.module.css';
import { Problem, problemProps } from './problem.tsx';
import { useTyped } from './use-typed.ts';

interface TextEditorProps {
  filter: TextFilter;
  inForm: boolean;
  onDone: () => void;
}

/** Applies on Enter and when the field is left: half a word would search for the wrong thing. */
export const TextEditor = ({ filter, inForm, onDone }: TextEditorProps) => {
  const id = useId();
  const [text, setText] = useState(filter.value ?? '');
  const [known, setKnown] = useState(filter.value);
  if (filter.value !== known) {
    setKnown(filter.value);
    setText(filter.value ?? '');
  }
  const wanted = text.trim();
  const problem = wanted === '' ? undefined : filter.problem?.(wanted);
  const apply = (): void => {
    if (problem !== undefined || wanted === (filter.value ?? '')) return;
    filter.onChange(wanted === '' ? undefined : wanted);
  };
  return (
    <>
      <Input
        allowClear={{ clearIcon: <ClearIcon /> }}
        aria-label={filter.label}
        autoFocus={!inForm}
        maxLength={filter.maxLength}
        onBlur={apply}
        onChange={(event) => setText(event.target.value)}
        onPressEnter={() => {
          apply();
          if (problem === undefined) onDone();
        }}
        placeholder={filter.placeholder ?? ''}
        {...problemProps(id, problem)}
        value={text}
      />
      <Problem id={id}>{problem}</Problem>
    </>
  );
};

/** Applies each valid change; a maximum below the minimum stays in the fields, with an error message. */
export const RangeEditor = ({ filter, onDone }: { filter: RangeFilter; onDone: () => void }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const id = useId();
  const { shown, setTyped } = useTyped<Range>(filter.value ?? {});
  const problemOf = ({ min, max }: Range): string | undefined => {
    if (min === undefined || max === undefined || min <= max) return undefined;
    return t('errors.issues.tooSmall', { min: `${min.toLocaleString(language)} ${filter.unit}`.trim() });
  };
  const problem = problemOf(shown);
  const change = (part: Range): void => {
    const next = { ...shown, ...part };
    const isInvalid = problemOf(next) !== undefined;
    setTyped(isInvalid ? next : undefined);
    if (!isInvalid) filter.onChange(next.min === undefined && next.max === undefined ? undefined : next);
  };
  const end = (name: 'min' | 'max') => (
    <label className={styles['number']} htmlFor={`${id}-${name}`}>
      <span>{t(`kit.range.${name}`)}</span>
      <NumberField
        id={`${id}-${name}`}
        max={filter.max}
        min={0}
        onChange={(value) => change({ [name]: value ?? undefined })}
        onPressEnter={() => {
          if (problem === undefined) onDone();
        }}
        precision={filter.digits ?? 0}
        suffix={filter.unit}
        {...problemProps(`${id}-problem`, name === 'max' ? problem : undefined)}
        value={shown[name] ?? null}
      />
    </label>
  );
  return (
    <>
      {filter.suggestions ? (
        <div className={styles['offered']}>
          {filter.suggestions.map((min) => (
            <Button
              key={min}
              onClick={() => {
                filter.onChange({ min });
                onDone();
              }}
              size="small"
              type={filter.value?.min === min && filter.value.max === undefined ? 'primary' : 'default'}
            >
              {filter.format({ min })}
            </Button>
          ))}
        </div>
      ) : null}
      <div className={styles['period']}>
        {end('min')}
        {end('max')}
      </div>
      <Problem id={`${id}-problem`}>{problem}</Problem>
    </>
  );
};

export const PickEditor = ({ filter, inForm }: { filter: PickFilter; inForm: boolean }) => (
  <Select
    aria-label={filter.label}
    autoFocus={!inForm}
    className={styles['words'] ?? ''}
    // The next choice of a single one replaces it; at a higher maximum, the other options are disabled.
    {...(filter.max === 1 ? {} : { maxCount: filter.max })}
    mode="multiple"
    onChange={(values: string[]) => {
      const chosen = filter.max === 1 ? values.slice(-1) : values;
      filter.onChange(chosen.length > 0 ? chosen : undefined);
    }}
    optionFilterProp="label"
    options={[...filter.options]}
    value={[...(filter.value ?? [])]}
  />
);
