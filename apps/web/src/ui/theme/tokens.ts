/**
 * The one place where the console's colours, sizes and faces are written. `theme.ts` makes antd's theme from
 * it, and `tokens.css` (written by `theme.test.ts`, never by hand) the CSS variables of the kit and the charts.
 *
 * Text colours hold 4.5:1 on every surface they are used on (WCAG 2.2, 1.4.3); the `*Text` variants of the
 * status colours exist because the plain ones only need the 3:1 of graphics (1.4.11).
 *
 * A colour means the same on every screen. Amounts (usage, shares, progress) are drawn in `amount`, paler where they may
 * still change, and no status has that colour. Statuses: teal, it works or is done; purple, it is under way or still
 * ahead; orange, somebody should look; red, it is over its limit, ended or failed; grey, nothing goes on, or it is what
 * something is compared with.
 */
export const themeModes = ['light', 'dark'] as const;
export type ThemeMode = (typeof themeModes)[number];
/** What a person chooses; `system` follows the device. */
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
  inverse: '#232a36',
  inverseRaised: '#343d4d',
  onInverse: '#ffffff',
  onInverseSecondary: '#b4bdcd',
  shadowCard: 'none',
  shadowFloating: '0 12px 32px rgb(0 0 0 / 55%)',
};

export const palettes: Record<ThemeMode, Palette> = { light, dark };

export const faces = {
  /** Chinese comes from the system's own face behind Inter. */
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
