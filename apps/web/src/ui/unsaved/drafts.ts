import { createContext, use, useEffect, useEffectEvent } from 'react';

/** A navigation inside the console. */
export interface Navigation {
  from: PageLocation;
  to: PageLocation;
}
interface PageLocation {
  pathname: string;
  search: string;
}

/** Whether changes would be lost now, by a navigation or with everything on screen. */
type Draft = (navigation?: Navigation) => boolean;

/** Unsaved changes in a dialog, in a drawer, or anywhere in the console. */
export interface Drafts {
  /** @returns a function that removes it */
  add: (draft: Draft) => () => void;
  isChanged: Draft;
  /** The person agreed to lose what the step affects: don't ask again. */
  drop: (navigation?: Navigation) => void;
}

/** `parent`: the drafts of the element around a dialog; leaving that also loses the dialog's drafts. */
export const createDrafts = (parent?: Drafts): Drafts => {
  const registered = new Map<Draft, () => void>();
  const remove = (draft: Draft): void => {
    registered.get(draft)?.();
    registered.delete(draft);
  };
  return {
    add: (draft) => {
      registered.set(draft, parent?.add(draft) ?? (() => undefined));
      return () => remove(draft);
    },
    isChanged: (navigation) => [...registered.keys()].some((changed) => changed(navigation)),
    drop: (navigation) => {
      for (const draft of registered.keys()) if (draft(navigation)) remove(draft);
    },
  };
};

/** Everything on screen. */
export const allDrafts = createDrafts();

export const DraftsContext = createContext(allDrafts);

/**
 * Asks for confirmation before the surrounding dialog, drawer or page is left while `isChanged`. All forms of the kit use it.
 * @param staysOnScreen whether it stays on screen when the search parameters of its page change; false by default
 */
export const useDraft = (
  isChanged: () => boolean,
  staysOnScreen?: (parameters: URLSearchParams) => boolean,
): void => {
  const drafts = use(DraftsContext);
  const isLost = useEffectEvent(
    (navigation?: Navigation) =>
      isChanged() &&
      !(navigation && isWithinPage(navigation) && staysOnScreen?.(new URLSearchParams(navigation.to.search))),
  );
  useEffect(() => drafts.add((navigation) => isLost(navigation)), [drafts]);
};

/** Another language is still the same page. */
export const isWithinPage = ({ from, to }: Navigation): boolean => pageOf(from) === pageOf(to);

const pageOf = ({ pathname }: PageLocation): string => pathname.replace(/^\/[^/]+/, '');
