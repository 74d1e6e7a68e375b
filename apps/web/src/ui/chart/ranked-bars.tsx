import type { ReactNode } from 'react';
import { useFormat } from '../../lib/format/index.ts';
import { Link } from '../link/index.ts';
import type { StackColour } from './legend.tsx';
import styles from './ranked-bars.module.css';

export interface RankedBar {
  key: string;
  name: string;
  value: number;
  /** The formatted value. */
  text: ReactNode;
  href: string;
  /** Its colour in another chart, also shown before the name. */
  colour?: StackColour;
}

export interface RankedBarsProps {
  label: string;
  /** The largest first. */
  bars: readonly RankedBar[];
  /** Total for computing shares; without it, none are shown. */
  total?: number | undefined;
}

/** A ranking of amounts, each with its link and its share of the total. */
export const RankedBars = ({ label, bars, total }: RankedBarsProps) => {
  const { percent } = useFormat();
  const max = Math.max(0, ...bars.map(({ value }) => value));
  return (
    <ol aria-label={label} className={styles['bars']}>
      {bars.map(({ key, name, value, text, href, colour }) => (
        <li className={styles['bar']} key={key}>
          <Link className={styles['name']} href={href} title={name}>
            {colour ? (
              <span
                aria-hidden="true"
                className={styles['swatch']}
                style={{ background: `var(--${colour})` }}
              />
            ) : null}
            {name}
          </Link>
          <span aria-hidden="true" className={styles['track']}>
            <span
              style={{
                background: `var(--${colour ?? 'amount'})`,
                inlineSize: max > 0 ? `${(value / max) * 100}%` : 0,
              }}
            />
          </span>
          <b>{text}</b>
          {total ? <span className={styles['share']}>{percent(value / total, 1)}</span> : null}
        </li>
      ))}
    </ol>
  );
};
