import { type ReactNode, useEffect } from 'react';
import { createStore } from '../../lib/store/index.ts';

type Level = 'drawer' | 'page' | 'organisation';

interface TitlePart {
  level: Level;
  text: string;
}

const parts = createStore<readonly TitlePart[]>([]);

/** Sets one part of the browser tab's title. Pages and drawers of the kit set theirs automatically. */
export const useTitle = (level: Level, text: string | undefined): void => {
  useEffect(() => {
    if (!text) return;
    const part: TitlePart = { level, text };
    parts.set([...parts.get(), part]);
    return () => parts.set(parts.get().filter((one) => one !== part));
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
  const shown = parts.use();
  // The last one opened: of drawers it is on top.
  const textOf = (level: Level): string | undefined => shown.findLast((part) => part.level === level)?.text;
  return [textOf('drawer'), textOf('page') ?? page, textOf('organisation')].filter(
    (text) => text !== undefined,
  );
};
