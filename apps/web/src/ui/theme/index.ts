export { themeFor } from './theme.ts';
export {
  faces,
  type Palette,
  palettes,
  sizes,
  type ThemeChoice,
  type ThemeMode,
  themeModes,
} from './tokens.ts';
export { resolveTheme, usePalette, useThemeMode } from './use-theme.ts';
