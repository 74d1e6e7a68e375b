import { Button, Input } from 'antd';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../number-field/index.ts';
import { Select } from '../select/index.ts';
import type { PickFilter, Range, RangeFilter, TextFilter } from './filter.ts';
import styles from './filter-bar.module.css';

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
        allowClear
        aria-describedby={problem ? id : undefined}
        aria-invalid={problem !== undefined}
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
        {...(problem ? { status: 'error' as const } : {})}
        value={text}
      />
      {problem ? (
        <p className={styles['problem']} id={id} role="alert">
          {problem}
        </p>
      ) : null}
    </>
  );
};

export const RangeEditor = ({ filter, onDone }: { filter: RangeFilter; onDone: () => void }) => {
  const { t } = useTranslation();
  const id = useId();
  const change = (part: Range): void => {
    const next = { ...filter.value, ...part };
    filter.onChange(next.min === undefined && next.max === undefined ? undefined : next);
  };
  const end = (name: 'min' | 'max') => (
    <label className={styles['number']} htmlFor={`${id}-${name}`}>
      <span>{t(`kit.range.${name}`)}</span>
      <NumberField
        id={`${id}-${name}`}
        max={name === 'min' ? (filter.value?.max ?? filter.max) : filter.max}
        min={name === 'max' ? (filter.value?.min ?? 0) : 0}
        onChange={(value) => change({ [name]: value ?? undefined })}
        onPressEnter={onDone}
        precision={filter.digits ?? 0}
        suffix={filter.unit}
        value={filter.value?.[name] ?? null}
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
    </>
  );
};

export const PickEditor = ({ filter, inForm }: { filter: PickFilter; inForm: boolean }) => (
  <Select
    aria-label={filter.label}
    autoFocus={!inForm}
    className={styles['words'] ?? ''}
    maxCount={filter.max}
    mode="multiple"
    onChange={(values: string[]) => filter.onChange(values.length > 0 ? values : undefined)}
    optionFilterProp="label"
    options={[...filter.options]}
    value={[...(filter.value ?? [])]}
  />
);
