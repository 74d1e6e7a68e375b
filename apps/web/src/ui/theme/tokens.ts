/**
 * The only place where the console's colours, sizes and fonts are defined. `theme.ts` builds antd's theme from it; `tokens.css`
 * (written by `theme.test.ts`, never by hand) contains the CSS variables of the kit and the charts.
 *
 * Text colours have a contrast of at least 4.5:1 on every surface they are used on (WCAG 2.2, 1.4.3); the status colours have
 * `*Text` variants because the plain ones only need the 3:1 of graphics (1.4.11).
 *
 * A colour has the same meaning on every screen. Amounts (usage, shares, progress) use `amount`, paler where they may still
 * change; no status has that colour. Statuses: teal, works or done; purple, in progress or pending; orange, needs attention; red,
 * over its limit, ended or failed; grey, inactive, or a value to compare with. Pink and brown only tell the parts of a chart apart
 * that has more of them.
 */
export const themeModes = ['light', 'dark'] as const;
export type ThemeMode = (typeof themeModes)[number];
/** The person's choice; `system` follows the device. */
export type ThemeChoice = ThemeMode | 'system';

const light = {
  accent: '#2b59f0',
  accentHover: '#1f48d1',
  accentSoft: '#eaf0ff',
  accentFaded: '#9fb4f8',
  onAccent: '#ffffff',
  page: '#f6f7f9',
  surface: '#ffffff',
  surfaceHover: '#f8f9fb',
  raised: '#ffffff',
  line: '#e6e8ec',
  lineSoft: '#eef0f3',
  lineStrong: '#98a1b2',
  track: '#eef0f3',
  text: '#12161c',
  textSecondary: '#566074',
  textFaint: '#5f697d',
  teal: '#0e9384',
  tealText: '#0b7a6e',
  amount: '#2b59f0',
  amountFaded: '#9fb4f8',
  orange: '#d97706',
  orangeText: '#b04d05',
  red: '#d92d4a',
  redText: '#c8203d',
  redSoft: '#fdf0f2',
  mark: '#fdeeb5',
  grey: '#98a1b2',
  purple: '#7a4bd6',
  pink: '#c2408f',
  brown: '#8a6239',
  inverse: '#12161c',
  inverseRaised: '#242a35',
  onInverse: '#ffffff',
  onInverseSecondary: '#a9b2c3',
  shadowCard: '0 1px 2px rgb(16 24 40 / 5%)',
  shadowFloating: '0 12px 32px rgb(16 24 40 / 22%)',
};

export type Palette = typeof light;

const dark: Palette = {
  accent: '#6d90ff',
  accentHover: '#8aa6ff',
  accentSoft: '#1a2540',
  accentFaded: '#3c4e84',
  onAccent: '#0c0f14',
  page: '#0c0f14',
  surface: '#14181f',
  surfaceHover: '#191e27',
  raised: '#1b212b',
  line: '#262c37',
  lineSoft: '#1f252f',
  lineStrong: '#5c667a',
  track: '#242a35',
  text: '#eef1f6',
  textSecondary: '#a1abbd',
  textFaint: '#8b95a8',
  teal: '#2ec4b0',
  tealText: '#2ec4b0',
  amount: '#6d90ff',
  amountFaded: '#3c4e84',
  orange: '#f5a63d',
  orangeText: '#f5a63d',
  red: '#ff6378',
  redText: '#ff7a8c',
  redSoft: '#2a181d',
  mark: '#332a0d',
  grey: '#6b7488',
  purple: '#a58bff',
  pink: '#f08cc8',
  brown: '#c49a6c',
  inverse: '#232a36',
  inverseRaised: '#343d4d',
  onInverse: '#ffffff',
  onInverseSecondary: '#b4bdcd',
  shadowCard: 'none',
  shadowFloating: '0 12px 32px rgb(0 0 0 / 55%)',
};

export const palettes: Record<ThemeMode, Palette> = { light, dark };

export const faces = {
  /** Chinese uses a system font, as Inter does not contain it. */
  text: '"Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", sans-serif',
  mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
} as const;

/** Pixels. */
export const sizes = {
  fontTiny: 11,
  fontSmall: 12,
  font: 13,
  fontCard: 13.5,
  fontTitle: 20,
  fontFigure: 25,
  radius: 7,
  radiusCard: 10,
  control: 30,
  rowComfortable: 38,
  rowCompact: 30,
  gap: 14,
  page: 20,
} as const;
