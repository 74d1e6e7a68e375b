export { CommandPalette } from './command-palette.tsx';
export { searchKeys, usePaletteKey } from './palette-key.ts';
