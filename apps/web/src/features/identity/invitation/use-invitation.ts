import { endpoints } from '@simcube/contract';
import type { Invitation } from '@simcube/contract/identity';
import { useEffect, useState } from 'react';
import { ApiFailure, call } from '../../../lib/api-client/index.ts';

export type InvitationState =
  | { kind: 'loading' }
  | { kind: 'open'; invitation: Invitation }
  | { kind: 'invalid' }
  | { kind: 'failed'; failure: ApiFailure };

/** The invitation that a link in an email refers to. `retry` repeats the request after a failure. */
export const useInvitation = (token: string): { state: InvitationState; retry: () => void } => {
  const [state, setState] = useState<InvitationState>({ kind: 'loading' });
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt repeats the request, which does not depend on its number.
  useEffect(() => {
    const controller = new AbortController();
    const read = async (): Promise<InvitationState> => {
      try {
        const { data } = await call(endpoints.identity.readInvitation, {
          body: { token },
          announce: false,
          signal: controller.signal,
        });
        return { kind: 'open', invitation: data };
      } catch (error) {
        if (!(error instanceof ApiFailure)) throw error;
        return error.code === 'CB-07-0011' || error.code === 'CB-00-0400'
          ? { kind: 'invalid' }
          : { kind: 'failed', failure: error };
      }
    };
    read().then(setState, (error: unknown) => {
      if (!controller.signal.aborted) throw error;
    });
    return () => controller.abort();
  }, [token, attempt]);
  const retry = (): void => {
    setState({ kind: 'loading' });
    setAttempt(attempt + 1);
  };
  return { state, retry };
};
