export { BarChart, type BarChartProps } from './bar-chart.tsx';
export {
  BurnDownChart,
  type BurnDownChartProps,
  type BurnDownPoint,
  type ForecastPoint,
} from './burn-down-chart.tsx';
export { ChartSkeleton } from './chart-skeleton.tsx';
export { ChartLegend, type LegendEntry, type StackColour } from './legend.tsx';
export { LineChart, type LineChartProps, type LineSeries } from './line-chart.tsx';
export { type RankedBar, RankedBars, type RankedBarsProps } from './ranked-bars.tsx';
export { RingChart, type RingChartProps, type RingSlice } from './ring-chart.tsx';
export { ShareChart, type ShareChartProps, type ShareSeries } from './share-chart.tsx';
export { StackChart, type StackChartProps, type StackSeries } from './stack-chart.tsx';
