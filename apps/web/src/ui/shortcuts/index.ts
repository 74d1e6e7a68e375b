export { acceptsText, isShortcut, shortcutKeys, useShortcut } from './shortcuts.ts';
