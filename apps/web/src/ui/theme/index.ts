export { themeFor } from './theme.ts';
export { useThemeMode } from './use-theme.ts';
