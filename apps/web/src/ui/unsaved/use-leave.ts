import { use, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../dialog/use-confirm.ts';
import { allDrafts, createDrafts, type Drafts, DraftsContext, type Navigation } from './drafts.ts';

/** Leaves immediately if nothing would be lost, otherwise after confirmation. */
export type Leave = (go: () => void) => void;

/** @returns whether the step may proceed: it loses no changes, or the person agreed */
export const useConfirmLeave = (drafts: Drafts): ((navigation?: Navigation) => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  /** Asks once at a time: a second attempt to leave does not ask again. */
  const pending = useRef<Promise<boolean>>(undefined);
  return async (navigation) => {
    if (!drafts.isChanged(navigation)) return true;
    pending.current ??= confirm({
      title: t('kit.unsaved.title'),
      body: t('kit.unsaved.text'),
      action: t('kit.unsaved.discard'),
      cancel: t('kit.unsaved.stay'),
      danger: true,
    }).finally(() => {
      pending.current = undefined;
    });
    const confirmed = await pending.current;
    if (confirmed) drafts.drop(navigation);
    return confirmed;
  };
};

const useLeaveOf = (drafts: Drafts): Leave => {
  const confirmLeave = useConfirmLeave(drafts);
  return (go) => {
    if (!drafts.isChanged()) go();
    else void confirmLeave().then((confirmed) => (confirmed ? go() : undefined));
  };
};

/** For leaving the surrounding dialog, drawer or page. */
export const useLeave = (): Leave => useLeaveOf(use(DraftsContext));

/** For leaving everything on screen: switching organisation, signing out. */
export const useLeaveAll = (): Leave => useLeaveOf(allDrafts);

/** The drafts inside a dialog or a drawer, for its `DraftsContext`, and a function to leave that asks for confirmation. */
export const useDrafts = (): { drafts: Drafts; leave: Leave } => {
  const parent = use(DraftsContext);
  const [drafts] = useState(() => createDrafts(parent));
  return { drafts, leave: useLeaveOf(drafts) };
};
