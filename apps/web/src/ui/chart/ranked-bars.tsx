import type { ReactNode } from 'react';
import { useFormat } from '../../lib/format/index.ts';
import { Link } from '../link/index.ts';
import type { StackColour } from './legend.tsx';
import styles from './ranked-bars.module.css';

export interface RankedBar {
  key: string;
  name: string;
  value: number;
  /** What stands for the value. */
  text: ReactNode;
  href: string;
  /** Its colour in another chart: then it stands before the name, too. */
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
