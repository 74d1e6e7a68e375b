import { use, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EnclosureContext } from '../../lib/submit/index.ts';
import { useConfirm } from '../dialog/use-confirm.ts';
import { allDrafts, type Drafts, DraftsContext, forgetDropped, type Navigation } from './drafts.ts';

/** Leaves immediately if nothing would be lost, otherwise after confirmation. A promise says when the attempt to leave ended. */
export type Leave = (go: () => void | Promise<void>) => void;

/** @returns whether the step may proceed: it loses no changes, or the person agreed */
export const useConfirmLeave = (drafts: Drafts): ((navigation?: Navigation) => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  /** Asks once at a time: a second attempt to leave does not ask again. */
  const pending = useRef<Promise<boolean>>(undefined);
  return async (navigation) => {
    if (!drafts.isChanged(navigation)) return true;
    const lost = drafts.areMessages(navigation) ? 'unsent' : 'unsaved';
    pending.current ??= confirm({
      title: t(`kit.${lost}.title`),
      body: t(`kit.${lost}.text`),
      action: t(`kit.${lost}.discard`),
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

export const useLeaveOf = (drafts: Drafts): Leave => {
  const confirmLeave = useConfirmLeave(drafts);
  const leave = async (go: () => void | Promise<void>): Promise<void> => {
    if (!(await confirmLeave())) return;
    try {
      await go();
    } finally {
      forgetDropped();
    }
  };
  return (go) => {
    if (drafts.isChanged()) void leave(go);
    else void go();
  };
};

/** For leaving the surrounding dialog, drawer or page; a dialog or drawer is not left while something in it is being sent. */
export const useLeave = (): Leave => {
  const { isSending } = use(EnclosureContext);
  const leave = useLeaveOf(use(DraftsContext));
  return (go) => (isSending ? undefined : leave(go));
};

/** For leaving everything on screen: switching organisation, signing out. */
export const useLeaveAll = (): Leave => useLeaveOf(allDrafts);
