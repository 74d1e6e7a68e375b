import type { ReactNode } from 'react';
import { useFormat } from '../../lib/format/index.ts';
import { Link } from '../link/index.ts';
import styles from './ranked-bars.module.css';
import type { StackColour } from './stack-chart.tsx';

export interface RankedBar {
  key: string;
  name: string;
  value: number;
  /** What stands for the value. */
  text: ReactNode;
  href: string;
  colour?: StackColour;
}

export interface RankedBarsProps {
  label: string;
  /** The most first. */
  bars: readonly RankedBar[];
  /** What shares are of; without it, none are said. */
  total?: number | undefined;
}

/** Amounts beside each other, each with its way on and its share of all. */
export const RankedBars = ({ label, bars, total }: RankedBarsProps) => {
  const { percent } = useFormat();
  const most = Math.max(0, ...bars.map(({ value }) => value));
  return (
    <ol aria-label={label} className={styles['bars']}>
      {bars.map(({ key, name, value, text, href, colour = 'amount' }) => (
        <li className={styles['bar']} key={key}>
          <Link className={styles['name']} href={href} title={name}>
            {name}
          </Link>
          <span aria-hidden="true" className={styles['track']}>
            <span
              style={{
                background: `var(--${colour})`,
                inlineSize: most > 0 ? `${(value / most) * 100}%` : 0,
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
