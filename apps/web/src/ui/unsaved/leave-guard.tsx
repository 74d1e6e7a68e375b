import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { allDrafts, isWithinPage } from './drafts.ts';
import { useConfirmLeave } from './use-leave.ts';

/**
 * Asks for confirmation before changes are lost: in the console's own dialog on navigation, and with the browser's message before
 * the tab closes.
 */
export const LeaveGuard = () => {
  const { history } = useRouter();
  const confirmLeave = useEffectEvent(useConfirmLeave(allDrafts));
  useEffect(
    () =>
      history.block({
        blockerFn: async (move) => !isSamePage(move) && !(await confirmLeave(navigationOf(move))),
        enableBeforeUnload: () => allDrafts.isChanged(),
      }),
    [history],
  );
  return null;
};

type BlockedNavigation = Parameters<BlockerFn>[0];

/** Changing the language keeps what was typed on the page. */
const isSamePage = (move: BlockedNavigation): boolean =>
  isWithinPage(navigationOf(move)) && move.currentLocation.search === move.nextLocation.search;

const navigationOf = ({ currentLocation, nextLocation }: BlockedNavigation) => ({
  from: currentLocation,
  to: nextLocation,
});
