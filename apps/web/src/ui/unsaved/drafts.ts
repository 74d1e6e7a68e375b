import { createContext, use, useEffect, useEffectEvent } from 'react';

/** Whether something would be lost now. */
type Draft = () => boolean;

/** What is being written in a dialog, in a drawer, or anywhere in the console. */
export interface Drafts {
  /** @returns takes it out again */
  add: (draft: Draft) => () => void;
  isChanged: () => boolean;
  /** Losing them was agreed to: they are not asked about again. */
  drop: () => void;
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
    isChanged: () => [...taken.keys()].some((changed) => changed()),
    drop: () => {
      for (const draft of taken.keys()) remove(draft);
    },
  };
};

/** Everything on screen. */
export const allDrafts = createDrafts();

export const DraftsContext = createContext(allDrafts);

/** Asks before the dialog, drawer or page around is left while `isChanged`. Every form of the kit says so by itself. */
export const useDraft = (isChanged: Draft): void => {
  const drafts = use(DraftsContext);
  const now = useEffectEvent(isChanged);
  useEffect(() => drafts.add(() => now()), [drafts]);
};
