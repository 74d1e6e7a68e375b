import { type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { Link } from '../link/index.ts';
import styles from './plot.module.css';
import { useWidth } from './use-width.ts';

/** Tooltip of a position in a chart: its name and its values. */
export interface Tip {
  title: string;
  lines: readonly { label?: string; value: string }[];
  /** A link for pointer users; keyboard users have it in the table. */
  link?: { href: string; text: string } | undefined;
}

export interface Place {
  index: number;
  /** Distance from the left edge of the drawing, in pixels; the tooltip is next to it. */
  x: number;
  /** Distance from the top edge, if the tooltip is not at the top. */
  y?: number;
}

export interface PlotProps {
  height: number;
  /** The position in the chart under a point of the drawing; undefined if there is none. */
  placeAt: (point: { x: number; y: number }, width: number) => Place | undefined;
  tipOf: (index: number) => Tip;
  onSelect?: ((index: number) => void) | undefined;
  children: (drawing: { width: number; hovered: Place | undefined }) => ReactNode;
}

/** A drawing as wide as its box, with a tooltip for the position under the pointer. Its data is also available as a table. */
export const Plot = ({ height, placeAt, tipOf, onSelect, children }: PlotProps) => {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [hovered, setHovered] = useState<Place>();
  const follow = (event: PointerEvent<SVGSVGElement>) => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    setHovered(placeAt({ x: event.clientX - left, y: event.clientY - top }, width ?? 0));
  };
  return (
    <div
      aria-hidden="true"
      className={styles['plot']}
      onPointerLeave={() => setHovered(undefined)}
      ref={box}
      style={{ height }}
    >
      {width === undefined ? null : (
        <svg
          aria-hidden="true"
          data-selects={onSelect && hovered ? 'true' : undefined}
          height={height}
          onClick={() => hovered && onSelect?.(hovered.index)}
          onPointerMove={follow}
          width={width}
        >
          {children({ width, hovered })}
        </svg>
      )}
      {hovered && width !== undefined ? (
        <TipBox place={hovered} room={width} tip={tipOf(hovered.index)} />
      ) : null}
    </div>
  );
};

/** Placed on the side with more room. */
const TipBox = ({ tip: { title, lines, link }, place, room }: { tip: Tip; place: Place; room: number }) => {
  const { x, y = 4 } = place;
  const side = x > room / 2 ? { insetInlineEnd: room - x + 12 } : { insetInlineStart: x + 12 };
  return (
    <div
      className={styles['tip']}
      data-leads={link ? 'true' : undefined}
      style={{ ...side, insetBlockStart: y }}
    >
      <div className={styles['title']}>{title}</div>
      {lines.map(({ label, value }) => (
        <div className={styles['line']} key={label ?? value}>
          {label ? <span>{label}</span> : null}
          <b>{value}</b>
        </div>
      ))}
      {link ? (
        <Link href={link.href} tabIndex={-1}>
          {link.text}
        </Link>
      ) : null}
    </div>
  );
};
