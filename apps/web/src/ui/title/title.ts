import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

type Level = 'drawer' | 'page' | 'organisation';

interface Part {
  level: Level;
  text: string;
}

let parts: readonly Part[] = [];
const listeners = new Set<() => void>();
const change = (next: readonly Part[]): void => {
  parts = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Names a part of what is on screen in the title of the browser's tab. Pages and drawers of the kit name themselves. */
export const useTitle = (level: Level, text: string | undefined): void => {
  useEffect(() => {
    if (!text) return;
    const part: Part = { level, text };
    change([...parts, part]);
    return () => change(parts.filter((one) => one !== part));
  }, [level, text]);
};

/** A title that is words alone. */
export const wordsOf = (title: ReactNode): string | undefined =>
  typeof title === 'string' ? title : undefined;

/**
 * What the browser's tab is called: drawer, page, organisation, the nearest first, since tabs cut their titles.
 * `page`: the page as long as it has not named itself.
 */
export const useTabTitle = (page: string | undefined): string[] => {
  const shown = useSyncExternalStore(subscribe, () => parts);
  // The one opened last: of drawers it lies on top.
  const textOf = (level: Level): string | undefined => shown.findLast((part) => part.level === level)?.text;
  return [textOf('drawer'), textOf('page') ?? page, textOf('organisation')].filter(
    (text) => text !== undefined,
  );
};
