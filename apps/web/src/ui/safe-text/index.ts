export { shownCharacter } from './pieces.ts';
export { SafeText } from './safe-text.tsx';
