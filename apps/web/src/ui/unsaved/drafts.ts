import { createContext, use, useEffect, useEffectEvent } from 'react';

/** A navigation inside the console. */
export interface Step {
  from: Place;
  to: Place;
}
interface Place {
  pathname: string;
  search: string;
}

/** Whether changes would be lost now, by a navigation or with everything on screen. */
type Draft = (step?: Step) => boolean;

/** Unsaved changes in a dialog, in a drawer, or anywhere in the console. */
export interface Drafts {
  /** @returns a function that removes it */
  add: (draft: Draft) => () => void;
  isChanged: Draft;
  /** The person agreed to lose what the step affects: don't ask again. */
  drop: (step?: Step) => void;
}

/** `around`: the drafts of the element around a dialog; leaving that also loses the dialog's drafts. */
export const createDrafts = (around?: Drafts): Drafts => {
  const taken = new Map<Draft, () => void>();
  const remove = (draft: Draft): void => {
    taken.get(draft)?.();
    taken.delete(draft);
  };
  return {
    add: (draft) => {
      taken.set(draft, around?.add(draft) ?? (() => undefined));
      return () => remove(draft);
    },
    isChanged: (step) => [...taken.keys()].some((changed) => changed(step)),
    drop: (step) => {
      for (const draft of taken.keys()) if (draft(step)) remove(draft);
    },
  };
};

/** Everything on screen. */
export const allDrafts = createDrafts();

export const DraftsContext = createContext(allDrafts);

/**
 * Asks for confirmation before the surrounding dialog, drawer or page is left while `isChanged`. All forms of the kit use it.
 * @param stays whether it stays on screen when the search parameters of its page change; false by default
 */
export const useDraft = (
  isChanged: () => boolean,
  stays?: (parameters: URLSearchParams) => boolean,
): void => {
  const drafts = use(DraftsContext);
  const isLost = useEffectEvent(
    (step?: Step) =>
      isChanged() && !(step && isWithinPage(step) && stays?.(new URLSearchParams(step.to.search))),
  );
  useEffect(() => drafts.add((step) => isLost(step)), [drafts]);
};

/** Another language is still the same page. */
export const isWithinPage = ({ from, to }: Step): boolean => pageOf(from) === pageOf(to);

const pageOf = ({ pathname }: Place): string => pathname.replace(/^\/[^/]+/, '');
