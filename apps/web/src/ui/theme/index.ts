export { themeFor } from './theme.ts';
export { faces, type Palette } from './tokens.ts';
export { usePalette, useThemeMode } from './use-theme.ts';
