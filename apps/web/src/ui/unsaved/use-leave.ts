import { use, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../dialog/use-confirm.ts';
import { allDrafts, createDrafts, type Drafts, DraftsContext, type Step } from './drafts.ts';

/** Leaves immediately if nothing would be lost, otherwise after confirmation. */
export type Leave = (go: () => void) => void;

/** @returns whether the step may proceed: it loses no changes, or the person agreed */
export const useAskToLeave = (drafts: Drafts): ((step?: Step) => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  /** Asks once at a time: a second attempt to leave does not ask again. */
  const asked = useRef<Promise<boolean>>(undefined);
  return async (step) => {
    if (!drafts.isChanged(step)) return true;
    asked.current ??= confirm({
      title: t('kit.unsaved.title'),
      body: t('kit.unsaved.text'),
      action: t('kit.unsaved.discard'),
      cancel: t('kit.unsaved.stay'),
      danger: true,
    }).finally(() => {
      asked.current = undefined;
    });
    const agreed = await asked.current;
    if (agreed) drafts.drop(step);
    return agreed;
  };
};

const useLeaveOf = (drafts: Drafts): Leave => {
  const ask = useAskToLeave(drafts);
  return (go) => {
    if (!drafts.isChanged()) go();
    else void ask().then((agreed) => (agreed ? go() : undefined));
  };
};

/** For leaving the surrounding dialog, drawer or page. */
export const useLeave = (): Leave => useLeaveOf(use(DraftsContext));

/** For leaving everything on screen: switching organisation, signing out. */
export const useLeaveAll = (): Leave => useLeaveOf(allDrafts);

/** The drafts inside a dialog or a drawer, for its `DraftsContext`, and a function to leave that asks for confirmation. */
export const useDrafts = (): { drafts: Drafts; leave: Leave } => {
  const around = use(DraftsContext);
  const [drafts] = useState(() => createDrafts(around));
  return { drafts, leave: useLeaveOf(drafts) };
};
