import type { BarSeriesOption, LineSeriesOption, PieSeriesOption } from 'echarts/charts';
import type { GridComponentOption, TooltipComponentOption } from 'echarts/components';
import type { ComposeOption } from 'echarts/core';
import { faces, type Palette } from '../theme/index.ts';

export type ChartOption = ComposeOption<
  LineSeriesOption | BarSeriesOption | PieSeriesOption | GridComponentOption | TooltipComponentOption
>;

/** What the charts have in common: faces, the quiet tooltip, motion that a person may switch off. */
export const baseOption = (palette: Palette, still: boolean) =>
  ({
    animation: !still,
    animationDuration: 300,
    animationDurationUpdate: 300,
    textStyle: { fontFamily: faces.text, color: palette.textFaint, fontSize: 11 },
    tooltip: {
      backgroundColor: palette.raised,
      borderColor: palette.line,
      borderWidth: 1,
      padding: [7, 10],
      textStyle: { color: palette.text, fontSize: 12, fontFamily: faces.text },
      extraCssText: `box-shadow: ${palette.shadowFloating}; border-radius: 7px; font-variant-numeric: tabular-nums;`,
    },
  }) satisfies ChartOption;

/** `#rrggbb` with an opacity, for areas under a line. */
export const faded = (hex: string, opacity: number): string =>
  `${hex}${Math.round(opacity * 255)
    .toString(16)
    .padStart(2, '0')}`;

/** Made as elements, not as markup: a strict content security policy refuses styles written in HTML. */
export const tooltipLines = (
  title: string,
  lines: readonly { label?: string; value: string }[],
): HTMLElement => {
  const box = document.createElement('div');
  const head = document.createElement('div');
  head.textContent = title;
  head.style.opacity = '0.7';
  box.append(head);
  for (const { label, value } of lines) {
    const line = document.createElement('div');
    const strong = document.createElement('b');
    strong.textContent = value;
    line.append(label ? `${label}  ` : '', strong);
    box.append(line);
  }
  return box;
};
