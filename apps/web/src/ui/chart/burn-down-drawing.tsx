import { area, line } from 'd3-shape';
import { useId } from 'react';
import {
  type BurnDownAxes,
  type BurnDownChartProps,
  type BurnDownPoint,
  type ForecastPoint,
  positionOfName,
  valueAt,
} from './burn-down.ts';
import { evenlySpaced, textWidth, withoutOverlap } from './labels.ts';
import type { Place } from './plot.tsx';
import { ValueLines } from './value-axis.tsx';

interface Drawing {
  axes: BurnDownAxes;
}

export const BurnDownDrawing = ({
  axes,
  hovered,
  ...chart
}: BurnDownChartProps & Drawing & { hovered: Place | undefined }) => {
  const { left, top, right, bottom, xOf, yOf } = axes;
  const id = useId();
  const now = chart.remaining.points.at(-1);
  const named = evenlySpaced(chart.ticks.map(({ at, text }) => ({ text, x: xOf(at) })));
  return (
    <>
      <clipPath id={id}>
        <rect height={bottom - top} width={right - left} x={left} y={top} />
      </clipPath>
      <rect fill="var(--red-soft)" height={bottom - yOf(0)} width={right - left} x={left} y={yOf(0)} />
      <text
        style={{ color: 'var(--red-text)' }}
        x={belowStart(chart.below, left + 8, now === undefined ? undefined : xOf(now.at))}
        y={yOf(0) + 14}
      >
        {chart.below}
      </text>
      <ValueLines axis={axes} end={right} />
      <line stroke="var(--line-strong)" x1={left} x2={right} y1={yOf(0)} y2={yOf(0)} />
      {chart.ticks.map(({ at, text }, index) =>
        named.has(index) ? (
          <text key={at} textAnchor="middle" x={xOf(at)} y={bottom + 15}>
            {text}
          </text>
        ) : null,
      )}
      <g clipPath={`url(#${id})`}>
        {chart.even ? (
          <Even
            axes={axes}
            forecast={chart.forecast?.points ?? []}
            marks={[...(chart.marks ?? []), ...(chart.end ? [chart.end] : [])]}
            name={chart.even.name}
            points={chart.remaining.points}
            span={chart.span}
            value={chart.even.value}
          />
        ) : null}
        {chart.forecast ? <Forecast axes={axes} points={chart.forecast.points} /> : null}
        <Remaining axes={axes} points={chart.remaining.points} provisionalFrom={chart.provisionalFrom} />
      </g>
      <Now axes={axes} point={now} text={chart.now} />
      {/* After `Now`: the label of a recent event is drawn over the line of the current time. */}
      <Marks axes={axes} marks={chart.marks ?? []} points={chart.remaining.points} />
      {chart.end ? <End axes={axes} end={chart.end} /> : null}
      {hovered ? (
        <line
          stroke="var(--line-strong)"
          strokeDasharray="2 3"
          x1={hovered.x}
          x2={hovered.x}
          y1={top}
          y2={bottom}
        />
      ) : null}
    </>
  );
};

/** The start of the text below zero: not on the line of the current time. */
const belowStart = (text: string, start: number, now: number | undefined): number =>
  now !== undefined && now > start - 4 && now < start + textWidth(text) + 4 ? now + 8 : start;

/** Minimum width in pixels at which the line of even use shows its name. */
const minWidthForName = 420;

interface EvenProps extends Drawing {
  name: string;
  value: number;
  span: BurnDownChartProps['span'];
  points: readonly BurnDownPoint[];
  forecast: readonly ForecastPoint[];
  marks: readonly { at: number }[];
}

const Even = ({ axes, name, value, span, points, forecast, marks }: EvenProps) => {
  const { xOf, yOf, left, right } = axes;
  const { from, to } = span;
  const place =
    right - left > minWidthForName
      ? positionOfName({ axes, name, value, span, points, forecast, marks })
      : undefined;
  return (
    <g>
      <line
        stroke="var(--line-strong)"
        strokeDasharray="2 3"
        x1={xOf(from)}
        x2={xOf(to)}
        y1={yOf(value)}
        y2={yOf(0)}
      />
      {place ? (
        <text textAnchor={place.anchor} x={place.x} y={place.y}>
          {name}
        </text>
      ) : null}
    </g>
  );
};

const Remaining = ({
  axes: { xOf, yOf },
  points,
  provisionalFrom,
}: Drawing & { points: readonly BurnDownPoint[]; provisionalFrom: number | undefined }) => {
  const hatching = useId();
  const x = ({ at }: BurnDownPoint) => xOf(at);
  const y = ({ value }: BurnDownPoint) => yOf(value);
  const under = area<BurnDownPoint>().x(x).y0(yOf(0)).y1(y);
  const provisional = provisionalFrom === undefined ? [] : pointsFrom(points, provisionalFrom);
  return (
    <g data-part="left">
      <pattern height="6" id={hatching} patternTransform="rotate(45)" patternUnits="userSpaceOnUse" width="6">
        <rect fill="var(--amount)" fillOpacity="0.35" height="6" width="2" />
      </pattern>
      <path d={under([...points]) ?? undefined} fill="var(--amount)" fillOpacity="0.08" />
      {provisional.length > 1 ? (
        <path d={under(provisional) ?? undefined} data-part="provisional" fill={`url(#${hatching})`} />
      ) : null}
      <path
        d={line<BurnDownPoint>().x(x).y(y)([...points]) ?? undefined}
        fill="none"
        stroke="var(--amount)"
        strokeLinejoin="round"
        strokeWidth="1.8"
      />
    </g>
  );
};

/** The points from an instant on; its own value is interpolated. */
const pointsFrom = (points: readonly BurnDownPoint[], from: number): BurnDownPoint[] => {
  const later = points.filter(({ at }) => at > from);
  return [{ at: from, value: valueAt(points, from), text: '' }, ...later];
};

const Forecast = ({ axes: { xOf, yOf }, points }: Drawing & { points: readonly ForecastPoint[] }) => {
  const x = ({ at }: ForecastPoint) => xOf(at);
  const band = area<ForecastPoint>()
    .x(x)
    .y0(({ low }) => yOf(low))
    .y1(({ high }) => yOf(high));
  const middle = line<ForecastPoint>()
    .x(x)
    .y(({ value }) => yOf(value));
  return (
    <g data-part="forecast">
      <path d={band([...points]) ?? undefined} fill="var(--orange)" fillOpacity="0.22" />
      <path
        d={middle([...points]) ?? undefined}
        fill="none"
        stroke="var(--orange)"
        strokeDasharray="5 4"
        strokeWidth="1.8"
      />
    </g>
  );
};

const stem = 40;

/** Keeps text over lines readable. */
const halo = { paintOrder: 'stroke', stroke: 'var(--surface)', strokeWidth: 4 } as const;

/** The centre of a text of this half width, moved inside the drawing. */
const within = ({ left, right }: { left: number; right: number }, x: number, half: number): number =>
  Math.min(right - half, Math.max(left + half, x));

/** Events: a dot on the line for each, and a label where it does not overlap others. */
const Marks = ({
  axes: { xOf, yOf, left, right, top },
  marks,
  points,
}: Drawing & { marks: NonNullable<BurnDownChartProps['marks']>; points: readonly BurnDownPoint[] }) => {
  const labels = marks.map(({ at, title }) => ({
    text: title,
    x: within({ left, right }, xOf(at), textWidth(title) / 2),
  }));
  const named = withoutOverlap(labels);
  return marks.map(({ at, title, tone }, index) => {
    const [x, y] = [xOf(at), yOf(valueAt(points, at))];
    const labelAt = Math.max(top + 10, y - stem);
    return (
      <g data-part="mark" key={`${at} ${title}`}>
        {named.has(index) ? (
          <>
            <line stroke={`var(--${tone})`} x1={x} x2={x} y1={labelAt + 5} y2={y} />
            <text
              style={{ ...halo, color: `var(--${textTones[tone] ?? 'text-secondary'})` }}
              textAnchor="middle"
              x={labels[index]?.x}
              y={labelAt}
            >
              {title}
            </text>
          </>
        ) : null}
        <circle cx={x} cy={y} fill={`var(--${tone})`} r="3.5" stroke="var(--surface)" strokeWidth="1.5" />
      </g>
    );
  });
};

/** The variants of the tones that are readable as text. */
const textTones: Partial<Record<string, string>> = {
  teal: 'teal-text',
  orange: 'orange-text',
  red: 'red-text',
};

/** The label of the current time, on the side where it fits. */
const Now = ({
  axes: { xOf, yOf, left, top, bottom },
  point,
  text,
}: Drawing & { point: BurnDownPoint | undefined; text: string }) => {
  if (!point) return null;
  const x = xOf(point.at);
  const before = x - textWidth(text) - 10 > left;
  return (
    <g data-part="now">
      <line stroke="var(--line-strong)" x1={x} x2={x} y1={top - 14} y2={bottom} />
      <text
        style={{ color: 'var(--text)', fontWeight: 600 }}
        textAnchor={before ? 'end' : 'start'}
        x={before ? x - 6 : x + 6}
        y={top - 5}
      >
        {text}
      </text>
      <circle
        cx={x}
        cy={yOf(point.value)}
        fill="var(--amount)"
        r="4"
        stroke="var(--surface)"
        strokeWidth="2"
      />
    </g>
  );
};

const End = ({
  axes: { xOf, yOf, left, right },
  end: { at, from, to, title, detail },
}: Drawing & { end: NonNullable<BurnDownChartProps['end']> }) => {
  const [x, y] = [xOf(at), yOf(0)];
  const half = Math.max(textWidth(title), textWidth(detail ?? '')) / 2;
  const centre = within({ left, right }, x, half);
  return (
    <g data-part="end">
      <line
        stroke="var(--orange)"
        strokeLinecap="round"
        strokeOpacity="0.55"
        strokeWidth="5"
        x1={xOf(from)}
        x2={xOf(to)}
        y1={y}
        y2={y}
      />
      <line stroke="var(--orange)" x1={x} x2={x} y1={y - 44} y2={y} />
      <circle cx={x} cy={y} fill="var(--orange)" r="4.5" stroke="var(--surface)" strokeWidth="2" />
      <text
        style={{ ...halo, color: 'var(--orange-text)', fontWeight: 600 }}
        textAnchor="middle"
        x={centre}
        y={detail === undefined ? y - 50 : y - 65}
      >
        {title}
      </text>
      {detail === undefined ? null : (
        <text style={{ ...halo, color: 'var(--orange-text)' }} textAnchor="middle" x={centre} y={y - 50}>
          {detail}
        </text>
      )}
    </g>
  );
};
