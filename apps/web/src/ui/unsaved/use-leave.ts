import { use, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfirm } from '../dialog/use-confirm.ts';
import { allDrafts, createDrafts, type Drafts, DraftsContext, type Step } from './drafts.ts';

/** Goes at once where nothing would be lost, else once the person agreed. */
export type Leave = (go: () => void) => void;

/** @returns whether what the step takes may be lost: nothing is changed in it, or the person agreed */
export const useAskToLeave = (drafts: Drafts): ((step?: Step) => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  /** Asks once at a time: a second press on a way out is no second question. */
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

/** For ways out of the dialog, drawer or page around. */
export const useLeave = (): Leave => useLeaveOf(use(DraftsContext));

/** For ways out of everything on screen: another organisation, signing out. */
export const useLeaveAll = (): Leave => useLeaveOf(allDrafts);

/** What is written inside a dialog or a drawer, for its `DraftsContext`, and the way out that asks about it. */
export const useDrafts = (): { drafts: Drafts; leave: Leave } => {
  const around = use(DraftsContext);
  const [drafts] = useState(() => createDrafts(around));
  return { drafts, leave: useLeaveOf(drafts) };
};
