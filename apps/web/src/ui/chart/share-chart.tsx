import { ChartFigure } from './chart-figure.tsx';
import { keysOf } from './labels.ts';
import type { StackColour } from './legend.tsx';
import { Plot, type Tip } from './plot.tsx';

export interface ShareSeries {
  name: string;
  colour: StackColour;
  values: readonly number[];
}

export interface ShareChartProps {
  label: string;
  categoryLabel: string;
  /** Names of the periods, one bar each. */
  categories: readonly string[];
  /** From the bottom up; a bar shows each series' share of the sum. */
  series: readonly ShareSeries[];
  format: (value: number) => string;
  formatShare: (share: number) => string;
  /** Link of a part, opened by a click; its text is shown in the tooltip. */
  linkOf: (category: number, series: number) => { href: string; text: string };
  /** Link of a period, in the table. */
  hrefOf: (category: number) => string;
  onOpen: (href: string) => void;
  height?: number;
}

/** How periods were divided, independent of their sums. */
export const ShareChart = (props: ShareChartProps) => {
  const {
    label,
    categoryLabel,
    categories,
    series,
    format,
    formatShare,
    linkOf,
    onOpen,
    height = 66,
  } = props;
  const keys = keysOf(categories);
  const bars = categories.map((_, index) => partsOf(series, index));
  const tipOf = (place: number): Tip => {
    const [category, at] = [Math.floor(place / series.length), place % series.length];
    const part = bars[category]?.[at];
    return {
      title: categories[category] ?? '',
      lines: [
        { label: series[at]?.name ?? '', value: formatShare(part?.share ?? 0) },
        { value: format(series[at]?.values[category] ?? 0) },
      ],
      link: linkOf(category, at),
    };
  };
  return (
    <ChartFigure
      columns={[categoryLabel, ...series.map(({ name }) => name)]}
      height={Math.max(160, height)}
      hrefOf={props.hrefOf}
      label={label}
      rows={categories.map((category, index) => [
        category,
        ...series.map(({ values }) => format(values[index] ?? 0)),
      ])}
    >
      <Plot
        height={height}
        onSelect={(place) => onOpen(linkOf(Math.floor(place / series.length), place % series.length).href)}
        placeAt={({ x, y }, width) => {
          const band = width / Math.max(1, categories.length);
          const category = Math.floor(x / band);
          const share = 1 - y / height;
          const at = bars[category]?.findIndex(({ from, to }) => share >= from && share < to) ?? -1;
          return at < 0 ? undefined : { index: category * series.length + at, x: (category + 0.5) * band };
        }}
        tipOf={tipOf}
      >
        {({ width, hovered }) => {
          const band = width / Math.max(1, categories.length);
          return bars.map((parts, category) => (
            <g key={keys[category]}>
              {parts.map(({ from, to }, at) =>
                to > from ? (
                  <rect
                    fill={`var(--${series[at]?.colour})`}
                    fillOpacity={hovered?.index === category * series.length + at ? 1 : 0.82}
                    height={(to - from) * height}
                    key={series[at]?.name}
                    width={Math.max(1, band - 1)}
                    x={category * band}
                    y={(1 - to) * height}
                  />
                ) : null,
              )}
            </g>
          ));
        }}
      </Plot>
    </ChartFigure>
  );
};

/** Start and end of each share, from 0 to 1; zero values have none. */
const partsOf = (series: readonly ShareSeries[], index: number) => {
  const sum = series.reduce((total, { values }) => total + (values[index] ?? 0), 0);
  let from = 0;
  return series.map(({ values }) => {
    const share = sum === 0 ? 0 : (values[index] ?? 0) / sum;
    const part = { from, to: from + share, share };
    from += share;
    return part;
  });
};
