import { useId } from 'react';
import type { Tone } from '../status/index.ts';
import styles from './legend.module.css';

export type StackColour = Tone | 'amount' | 'amount-faded' | 'pink' | 'brown';

/** Pattern for values that may still change. */
export const Hatching = ({ id, colour }: { id: string; colour: StackColour }) => (
  <pattern height="6" id={id} patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width="6">
    <rect fill={`var(--${colour})`} fillOpacity="0.2" height="6" width="6" />
    <rect fill={`var(--${colour})`} height="6" width="2" />
  </pattern>
);

export interface LegendEntry {
  name: string;
  colour: StackColour;
  /** How the chart draws it; filled by default. */
  style?: 'dashed' | 'hatched';
}

/** Explains the colours and strokes of a chart. The chart's table contains the same as text. */
export const ChartLegend = ({ entries }: { entries: readonly LegendEntry[] }) => {
  const hatching = useId();
  return (
    <ul aria-hidden="true" className={styles['legend']}>
      {entries.map(({ name, colour, style }) => (
        <li key={name}>
          <svg aria-hidden="true" height="10" width={style === 'dashed' ? 18 : 10}>
            {style === 'hatched' ? <Hatching colour={colour} id={hatching} /> : null}
            {style === 'dashed' ? (
              <path d="M0 5h18" stroke="var(--line-strong)" strokeDasharray="4 3" strokeWidth="1.5" />
            ) : (
              <rect fill={style ? `url(#${hatching})` : `var(--${colour})`} height="10" rx="2" width="10" />
            )}
          </svg>
          {name}
        </li>
      ))}
    </ul>
  );
};
