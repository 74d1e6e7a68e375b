import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { allDrafts, forgetDropped, isWithinPage } from './drafts.ts';
import { isOverlaySending } from './overlay.tsx';
import { useConfirmLeave } from './use-leave.ts';

/**
 * Asks for confirmation before changes are lost: in the console's own dialog on navigation, and with the browser's message before
 * the tab closes.
 */
export const LeaveGuard = () => {
  const router = useRouter();
  const { history } = router;
  const confirmLeave = useEffectEvent(useConfirmLeave(allDrafts));
  useEffect(
    () =>
      history.block({
        blockerFn: async (move) =>
          isClosingSender(move) || (!isSamePage(move) && !(await confirmLeave(navigationOf(move)))),
        enableBeforeUnload: () => allDrafts.isChanged(),
      }),
    [history],
  );
  useEffect(() => router.subscribe('onResolved', forgetDropped), [router]);
  return null;
};

type BlockedNavigation = Parameters<BlockerFn>[0];

/** Back within a page would close the dialog or drawer that is waiting for a response. */
const isClosingSender = (move: BlockedNavigation): boolean =>
  isOverlaySending() &&
  move.action !== 'PUSH' &&
  move.action !== 'REPLACE' &&
  isWithinPage(navigationOf(move));

/** Changing the language keeps what was typed on the page. */
const isSamePage = (move: BlockedNavigation): boolean =>
  isWithinPage(navigationOf(move)) && move.currentLocation.search === move.nextLocation.search;

const navigationOf = ({ currentLocation, nextLocation }: BlockedNavigation) => ({
  from: currentLocation,
  to: nextLocation,
});
