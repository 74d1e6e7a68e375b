import { describe, expect, test } from 'vitest';
import { cssVariables } from './css-variables.ts';
import { themeFor } from './theme.ts';
import { type Palette, palettes, themeModes } from './tokens.ts';

/** WCAG 2.2 relative luminance and contrast ratio. */
const luminance = (hex: string): number => {
  const channel = (start: number): number => {
    const value = Number.parseInt(hex.slice(start, start + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
};
const contrast = (one: string, other: string): number => {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
};

const surfaces = [
  'page',
  'surface',
  'surfaceHover',
  'raised',
  'accentSoft',
  'mark',
] as const satisfies (keyof Palette)[];
const texts = [
  'text',
  'textSecondary',
  'textFaint',
  'accent',
  'redText',
] as const satisfies (keyof Palette)[];
const graphics = [
  'teal',
  'amount',
  'orange',
  'red',
  'purple',
  'pink',
  'brown',
] as const satisfies (keyof Palette)[];

describe.each(themeModes)('the %s palette', (mode) => {
  const palette = palettes[mode];

  test.each(texts.flatMap((text) => surfaces.map((surface) => [text, surface] as const)))(
    '%s is legible on %s',
    (text, surface) => {
      expect(contrast(palette[text], palette[surface])).toBeGreaterThanOrEqual(4.5);
    },
  );

  test.each(['tealText', 'orangeText', 'redText'] as const)('%s is legible on cards', (text) => {
    expect(contrast(palette[text], palette.surface)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(graphics)('%s is visible on cards', (graphic) => {
    expect(contrast(palette[graphic], palette.surface)).toBeGreaterThanOrEqual(3);
  });

  test('has legible buttons and a legible floating bar', () => {
    expect(contrast(palette.onAccent, palette.accent)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette.onInverseSecondary, palette.inverse)).toBeGreaterThanOrEqual(4.5);
    expect(contrast(palette.onInverse, palette.inverseRaised)).toBeGreaterThanOrEqual(4.5);
  });

  test("gives antd's theme the accent, and forms the legible red for errors", () => {
    const { token, components } = themeFor(mode, { still: false });
    expect(token?.colorPrimary).toBe(palette.accent);
    expect(components?.Form?.colorError).toBe(palette.redText);
  });
});

test('tokens.css matches the tokens', async () => {
  await expect(cssVariables()).toMatchFileSnapshot('./tokens.css');
});
