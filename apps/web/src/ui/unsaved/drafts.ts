import { createContext, use, useEffect, useEffectEvent } from 'react';
import { pageOf } from '../../lib/language/index.ts';
import { EnclosureContext } from '../../lib/submit/index.ts';

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
  /** All that would be lost are messages that were not sent. */
  areMessages: Draft;
  /** The person agreed to lose what the step affects: don't ask again during the step. */
  drop: (navigation?: Navigation) => void;
}

/** Those of texts to send, rather than of changes to save. */
const messages = new WeakSet<Draft>();

/** What the person agreed to lose by the current step. */
const dropped = new Set<Draft>();

/** The step has ended: what is still on screen was not lost, and the next step asks again. */
export const forgetDropped = (): void => dropped.clear();

/** `parent`: the drafts of the element around a dialog; leaving that also loses the dialog's drafts. */
export const createDrafts = (parent?: Drafts): Drafts => {
  const registered = new Set<Draft>();
  const lostBy = (navigation?: Navigation): Draft[] =>
    [...registered].filter((draft) => !dropped.has(draft) && draft(navigation));
  return {
    add: (draft) => {
      registered.add(draft);
      const removeFromParent = parent?.add(draft);
      return () => {
        registered.delete(draft);
        dropped.delete(draft);
        removeFromParent?.();
      };
    },
    isChanged: (navigation) => lostBy(navigation).length > 0,
    areMessages: (navigation) => lostBy(navigation).every((draft) => messages.has(draft)),
    drop: (navigation) => {
      for (const draft of registered) if (draft(navigation)) dropped.add(draft);
    },
  };
};

/** Everything on screen. */
export const allDrafts = createDrafts();

export const DraftsContext = createContext(allDrafts);

/**
 * Asks for confirmation before the surrounding dialog, drawer or page is left while `isChanged`, unless that is being sent. All
 * forms of the kit use it.
 * @param staysOnScreen whether it stays on screen when the search parameters of its page change; false by default
 * @param isMessage whether it is a text to send
 */
export const useDraft = (
  isChanged: (navigation?: Navigation) => boolean,
  staysOnScreen?: (parameters: URLSearchParams) => boolean,
  isMessage = false,
): void => {
  const drafts = use(DraftsContext);
  const { isSending } = use(EnclosureContext);
  const isLost = useEffectEvent(
    (navigation?: Navigation) =>
      !isSending &&
      isChanged(navigation) &&
      !(navigation && isWithinPage(navigation) && staysOnScreen?.(new URLSearchParams(navigation.to.search))),
  );
  useEffect(() => {
    const draft: Draft = (navigation) => isLost(navigation);
    if (isMessage) messages.add(draft);
    return drafts.add(draft);
  }, [drafts, isMessage]);
};

/** Another language is still the same page. */
export const isWithinPage = ({ from, to }: Navigation): boolean =>
  pageOf(from.pathname) === pageOf(to.pathname);
