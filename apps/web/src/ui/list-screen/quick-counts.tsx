import { useFormat } from '../../lib/format/index.ts';
import { Dot, type Tone } from '../status/index.ts';
import styles from './quick-counts.module.css';

export interface QuickCount<V extends string> {
  value: V;
  label: string;
  tone: Tone;
  count: number;
}

interface QuickCountsProps<V extends string> {
  /** What is counted, for those who listen. */
  label: string;
  all: { label: string; count: number };
  counts: readonly QuickCount<V>[];
  value: readonly V[] | undefined;
  onChange: (value: V[] | undefined) => void;
}

/** How many rows are in each state; pressing one shows only those. */
export const QuickCounts = <V extends string>({
  label,
  all,
  counts,
  value,
  onChange,
}: QuickCountsProps<V>) => {
  const format = useFormat();
  return (
    <fieldset className={styles['counts']}>
      <legend className={styles['legend']}>{label}</legend>
      <button
        aria-pressed={value === undefined}
        className={styles['count']}
        onClick={() => onChange(undefined)}
        type="button"
      >
        {all.label} <b>{format.count(all.count)}</b>
      </button>
      {counts.map((one) => {
        const on = value?.length === 1 && value[0] === one.value;
        return (
          <button
            aria-pressed={on}
            className={styles['count']}
            key={one.value}
            onClick={() => onChange(on ? undefined : [one.value])}
            type="button"
          >
            <Dot tone={one.tone} />
            {one.label} <b>{format.count(one.count)}</b>
          </button>
        );
      })}
    </fieldset>
  );
};
