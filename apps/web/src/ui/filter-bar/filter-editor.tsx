import { Button, Checkbox, Radio } from 'antd';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { NumberField } from '../number-field/index.ts';
import { Status } from '../status/index.ts';
import type { ChoiceFilter, Filter, NumberFilter } from './filter.ts';
import styles from './filter-bar.module.css';
import { PeriodEditor } from './period-editor.tsx';
import { PickEditor, RangeEditor, TextEditor } from './typed-editors.tsx';
import { WordsEditor } from './words-editor.tsx';

export interface FilterEditorProps {
  filter: Filter;
  onDone: () => void;
  /** Part of a form: as wide as the form, and does not take the focus. */
  inForm?: boolean;
}

/** The editor that opens below a chip. Every change applies immediately. */
export const FilterEditor = ({ filter, onDone, inForm = false }: FilterEditorProps) => (
  <section aria-label={filter.label} className={inForm ? styles['inForm'] : styles['editor']}>
    {filter.kind === 'choice' && filter.single === true ? (
      <OneChoiceEditor filter={filter} onDone={onDone} />
    ) : null}
    {filter.kind === 'choice' && filter.single !== true ? <ChoiceEditor filter={filter} /> : null}
    {filter.kind === 'period' ? <PeriodEditor filter={filter} onDone={onDone} /> : null}
    {filter.kind === 'words' ? <WordsEditor filter={filter} inForm={inForm} /> : null}
    {filter.kind === 'number' ? <NumberEditor filter={filter} onDone={onDone} /> : null}
    {filter.kind === 'text' ? <TextEditor filter={filter} inForm={inForm} onDone={onDone} /> : null}
    {filter.kind === 'range' ? <RangeEditor filter={filter} onDone={onDone} /> : null}
    {filter.kind === 'pick' ? <PickEditor filter={filter} inForm={inForm} /> : null}
  </section>
);

const ChoiceEditor = ({ filter }: { filter: ChoiceFilter }) => (
  <Checkbox.Group
    className={styles['choices'] ?? ''}
    onChange={(values) => filter.onChange(values.length > 0 ? values : undefined)}
    options={filter.options.map(({ value, label, tone }) => ({
      value,
      label: tone ? <Status tone={tone}>{label}</Status> : label,
    }))}
    value={[...(filter.value ?? [])]}
  />
);

const OneChoiceEditor = ({ filter, onDone }: { filter: ChoiceFilter; onDone: () => void }) => (
  <Radio.Group
    className={styles['choices'] ?? ''}
    onChange={(event) => {
      filter.onChange([String(event.target.value)]);
      onDone();
    }}
    options={filter.options.map(({ value, label, tone }) => ({
      value,
      label: tone ? <Status tone={tone}>{label}</Status> : label,
    }))}
    value={filter.value?.[0] ?? null}
  />
);

const NumberEditor = ({ filter, onDone }: { filter: NumberFilter; onDone: () => void }) => {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <div className={styles['offered']}>
        {filter.suggestions.map((value) => (
          <Button
            key={value}
            onClick={() => {
              filter.onChange(value);
              onDone();
            }}
            size="small"
            type={filter.value === value ? 'primary' : 'default'}
          >
            {filter.format(value)}
          </Button>
        ))}
      </div>
      <label className={styles['number']} htmlFor={id}>
        <span>{t('kit.filter.other')}</span>
        <NumberField
          id={id}
          max={filter.max}
          min={filter.min}
          onChange={(value) => filter.onChange(value ?? undefined)}
          onPressEnter={onDone}
          precision={0}
          value={filter.value ?? null}
        />
      </label>
    </>
  );
};
