import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

type Level = 'drawer' | 'page' | 'organisation';

interface TitlePart {
  level: Level;
  text: string;
}

let parts: readonly TitlePart[] = [];
const listeners = new Set<() => void>();
const change = (next: readonly TitlePart[]): void => {
  parts = next;
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** Sets one part of the browser tab's title. Pages and drawers of the kit set theirs automatically. */
export const useTitle = (level: Level, text: string | undefined): void => {
  useEffect(() => {
    if (!text) return;
    const part: TitlePart = { level, text };
    change([...parts, part]);
    return () => change(parts.filter((one) => one !== part));
  }, [level, text]);
};

/** The text of a title that is plain text. */
export const plainText = (title: ReactNode): string | undefined =>
  typeof title === 'string' ? title : undefined;

/**
 * The browser tab's title: drawer, page and organisation, the most specific first, since tabs truncate their titles. `page`: used
 * until the page has set its own.
 */
export const useTabTitle = (page: string | undefined): string[] => {
  const shown = useSyncExternalStore(subscribe, () => parts);
  // The last one opened: of drawers it is on top.
  const textOf = (level: Level): string | undefined => shown.findLast((part) => part.level === level)?.text;
  return [textOf('drawer'), textOf('page') ?? page, textOf('organisation')].filter(
    (text) => text !== undefined,
  );
};
