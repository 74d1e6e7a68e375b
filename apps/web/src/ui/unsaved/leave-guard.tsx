import { type BlockerFn, useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { allDrafts, isWithinPage } from './drafts.ts';
import { useAskToLeave } from './use-leave.ts';

/** Asks before changes are lost with their page: in the console itself, and in the browser's words before its tab closes. */
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

/** In another language a page keeps what is written on it. */
const isSamePage = (move: Move): boolean =>
  isWithinPage(stepOf(move)) && move.currentLocation.search === move.nextLocation.search;

const stepOf = ({ currentLocation, nextLocation }: Move) => ({ from: currentLocation, to: nextLocation });
