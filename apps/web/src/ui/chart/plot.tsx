import { type PointerEvent, type ReactNode, useEffect, useRef, useState } from 'react';
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

/**
 * A drawing as wide as its box, with a tooltip for the position under the pointer; on a touch screen, for the one tapped last. Its
 * data is also available as a table.
 */
export const Plot = ({ height, placeAt, tipOf, onSelect, children }: PlotProps) => {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const [hovered, setHovered] = useState<Place>();
  /** Without hovering, the first tap shows what the second one opens. */
  const opens = useRef(true);
  const isShown = hovered !== undefined;
  useEffect(() => {
    if (!isShown) return;
    const hideOutside = ({ target }: Event): void => {
      if (!box.current?.contains(target as Node)) setHovered(undefined);
    };
    document.addEventListener('pointerdown', hideOutside);
    return () => document.removeEventListener('pointerdown', hideOutside);
  }, [isShown]);
  const follow = (event: PointerEvent<SVGSVGElement>): Place | undefined => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    const place = placeAt({ x: event.clientX - left, y: event.clientY - top }, width ?? 0);
    setHovered(place);
    return place;
  };
  const press = (event: PointerEvent<SVGSVGElement>): void => {
    const isSame = follow(event)?.index === hovered?.index;
    opens.current = isSame || event.pointerType !== 'touch';
  };
  return (
    <div
      aria-hidden="true"
      className={styles['plot']}
      // The browser has taken over the touch, to scroll the page.
      onPointerCancel={() => setHovered(undefined)}
      onPointerLeave={({ pointerType }) => {
        if (pointerType !== 'touch') setHovered(undefined);
      }}
      ref={box}
      style={{ height }}
    >
      {width === undefined ? null : (
        <svg
          aria-hidden="true"
          data-selects={onSelect && hovered ? 'true' : undefined}
          height={height}
          onClick={() => hovered && opens.current && onSelect?.(hovered.index)}
          onPointerDown={press}
          onPointerMove={follow}
          width={width}
        >
          {children({ width, hovered })}
        </svg>
      )}
      {hovered && width !== undefined ? (
        <TipBox key={hovered.index} place={hovered} room={width} tip={tipOf(hovered.index)} />
      ) : null}
    </div>
  );
};

/** Placed on the side with more room, and moved over the place as far as its own width needs. */
const TipBox = ({ tip: { title, lines, link }, place, room }: { tip: Tip; place: Place; room: number }) => {
  const { x, y = 4 } = place;
  const isBefore = x > room / 2;
  return (
    <div
      className={styles['room']}
      data-before={isBefore ? 'true' : undefined}
      style={{ insetBlockStart: y }}
    >
      <div style={{ flexBasis: (isBefore ? room - x : x) + 12 }} />
      <div className={styles['tip']} data-leads={link ? 'true' : undefined}>
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
    </div>
  );
};
