export { isShortcut, shortcutKeys, useShortcut } from './shortcuts.ts';
