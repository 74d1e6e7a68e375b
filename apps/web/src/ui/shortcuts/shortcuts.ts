import { useEffect, useEffectEvent } from 'react';

/** Where a shortcut works, in the dialog's order. */
export const shortcutPlaces = ['everywhere', 'list', 'rows', 'panel'] as const;
type Place = (typeof shortcutPlaces)[number];

interface ShortcutDefinition {
  place: Place;
  /** Alternatives, as in `KeyboardEvent.key`. `Mod` is Ctrl, and on a Mac also ⌘; Shift is checked only if named. */
  keys: readonly string[];
  /** Also works in a field, where letters are otherwise input. */
  whileTyping?: true;
  /** Not while a menu, a dialog or an editor is open above the page: that handles the key. */
  unlessCovered?: true;
}

/** All shortcuts of the console, used for binding and for the dialog. Phrases: `kit.shortcuts.does`. */
export const shortcuts = {
  palette: { place: 'everywhere', keys: ['Mod+k'], whileTyping: true },
  help: { place: 'everywhere', keys: ['?'] },
  search: { place: 'list', keys: ['/'] },
  clearSelection: { place: 'list', keys: ['Escape'], whileTyping: true, unlessCovered: true },
  walkRows: { place: 'rows', keys: ['ArrowUp', 'ArrowDown'] },
  leapRows: { place: 'rows', keys: ['PageUp', 'PageDown', 'Home', 'End'] },
  openRow: { place: 'rows', keys: ['Enter'] },
  openRowInTab: { place: 'rows', keys: ['Mod+Enter'] },
  selectRow: { place: 'rows', keys: [' ', 'x'] },
  stretchSelection: {
    place: 'rows',
    keys: ['Shift+ArrowUp', 'Shift+ArrowDown', 'Shift+PageUp', 'Shift+PageDown', 'Shift+Home', 'Shift+End'],
  },
  closePanel: { place: 'panel', keys: ['Escape'], whileTyping: true, unlessCovered: true },
} as const satisfies Record<string, ShortcutDefinition>;
export type Shortcut = keyof typeof shortcuts;

interface KeyCombination {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Whether the pressed keys match the shortcut. */
export const isShortcut = (
  name: Shortcut,
  { key, ctrlKey, metaKey, altKey, shiftKey }: KeyCombination,
): boolean =>
  shortcuts[name].keys.some((keys) => {
    const parts = keys.split('+');
    return (
      key.toLowerCase() === parts.at(-1)?.toLowerCase() &&
      (ctrlKey || metaKey) === parts.includes('Mod') &&
      (shiftKey || !parts.includes('Shift')) &&
      !altKey
    );
  });

export const acceptsText = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('input, textarea, select, [role="textbox"], [role="combobox"]'));

const isOverlayOpen = (): boolean =>
  document.querySelector(
    '.ant-popover:not(.ant-popover-hidden), .ant-dropdown:not(.ant-dropdown-hidden), [role="dialog"], .ant-select-open',
  ) !== null;

/** Runs when the shortcut is pressed anywhere on the page, while `enabled`. */
export const useShortcut = (name: Shortcut, run: (event: KeyboardEvent) => void, enabled = true): void => {
  const onPressed = useEffectEvent(run);
  useEffect(() => {
    if (!enabled) return;
    const listen = (event: KeyboardEvent): void => {
      const definition: ShortcutDefinition = shortcuts[name];
      if (event.defaultPrevented || !isShortcut(name, event)) return;
      if (!definition.whileTyping && acceptsText(event.target)) return;
      if (definition.unlessCovered && isOverlayOpen()) return;
      onPressed(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [name, enabled]);
};

const isMac = /mac|iphone|ipad/i.test(navigator.userAgent);

const keyLabels: Readonly<Record<string, string>> = {
  Mod: isMac ? '⌘' : 'Ctrl',
  Shift: '⇧',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
  PageUp: 'Page↑',
  PageDown: 'Page↓',
  ' ': '␣',
};

/** The keys as labelled on this person's keyboard: for each alternative, its keys. */
export const shortcutKeys = (name: Shortcut): string[][] =>
  shortcuts[name].keys.map((keys) =>
    keys.split('+').map((key) => keyLabels[key] ?? (key.length === 1 ? key.toUpperCase() : key)),
  );
