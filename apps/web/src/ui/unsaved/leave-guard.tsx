import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { allDrafts, isWithinPage } from './drafts.ts';
import { useAskToLeave } from './use-leave.ts';

/**
 * Asks for confirmation before changes are lost: in the console's own dialog on navigation, and with the browser's message before
 * the tab closes.
 */
export const LeaveGuard = () => {
  const { history } = useRouter();
  const ask = useEffectEvent(useAskToLeave(allDrafts));
  useEffect(
    () =>
      history.block({
        blockerFn: async (move) => !isSamePage(move) && !(await ask(stepOf(move))),
        enableBeforeUnload: () => allDrafts.isChanged(),
      }),
    [history],
  );
  return null;
};

type Move = Parameters<BlockerFn>[0];

/** Changing the language keeps what was typed on the page. */
const isSamePage = (move: Move): boolean =>
  isWithinPage(stepOf(move)) && move.currentLocation.search === move.nextLocation.search;

const stepOf = ({ currentLocation, nextLocation }: Move) => ({ from: currentLocation, to: nextLocation });
