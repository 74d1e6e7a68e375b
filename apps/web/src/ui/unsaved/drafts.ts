import { createContext, use, useEffect, useEffectEvent } from 'react';

/** A step inside the console, from one address to the next. */
export interface Step {
  from: Place;
  to: Place;
}
interface Place {
  pathname: string;
  search: string;
}

/** Whether something would be lost now, by a step or with everything on screen. */
type Draft = (step?: Step) => boolean;

/** What is being written in a dialog, in a drawer, or anywhere in the console. */
export interface Drafts {
  /** @returns takes it out again */
  add: (draft: Draft) => () => void;
  isChanged: Draft;
  /** Losing what the step takes was agreed to: that is not asked about again. */
  drop: (step?: Step) => void;
}

/** `around`: what a dialog stands in; leaving that loses the dialog's drafts too. */
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
 * Asks before the dialog, drawer or page around is left while `isChanged`. Every form of the kit says so by itself.
 * @param stays whether it stays on screen with other parameters in the address of its page; without it, it does not
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

/** In another language it is the same page. */
export const isWithinPage = ({ from, to }: Step): boolean => pageOf(from) === pageOf(to);

const pageOf = ({ pathname }: Place): string => pathname.replace(/^\/[^/]+/, '');
