import type { ReactNode } from 'react';
import { useFormat } from '../../lib/format/index.ts';
import { Dot, type Tone } from '../status/index.ts';
import { visuallyHidden } from '../visually-hidden/index.ts';
import styles from './quick-counts.module.css';

export interface QuickCount<V extends string> {
  value: V;
  label: string;
  tone: Tone;
  /** Undefined if not known. */
  count: number | undefined;
}

interface QuickCountsProps<V extends string> {
  /** What is counted, for screen readers. */
  label: string;
  all: { label: string; count: number | undefined };
  counts: readonly QuickCount<V>[];
  /** `gte`: the server stopped counting; each count is a minimum. */
  relation?: 'eq' | 'gte' | undefined;
  /** Counted under the previous filter. */
  stale?: boolean;
  value: readonly V[] | undefined;
  onChange: (value: V[] | undefined) => void;
}

/** The number of rows in each state; clicking one shows only those. */
export const QuickCounts = <V extends string>({
  label,
  all,
  counts,
  relation = 'eq',
  stale = false,
  value,
  onChange,
}: QuickCountsProps<V>) => {
  const format = useFormat();
  const figure = (count: number | undefined): ReactNode => {
    // With `gte`, a count of 0 says nothing.
    if (count === undefined || (count === 0 && relation === 'gte')) return null;
    return (
      <b>
        {format.count(count)}
        {relation === 'gte' ? '+' : ''}
      </b>
    );
  };
  return (
    <fieldset className={styles['counts']} aria-busy={stale}>
      <legend className={visuallyHidden}>{label}</legend>
      <button
        aria-pressed={value === undefined}
        className={styles['count']}
        onClick={() => onChange(undefined)}
        type="button"
      >
        {all.label} {figure(all.count)}
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
            {one.label} {figure(one.count)}
          </button>
        );
      })}
    </fieldset>
  );
};
