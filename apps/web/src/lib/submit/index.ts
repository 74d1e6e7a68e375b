import { useRef, useState } from 'react';
import { type ApiFailure, attempt, explanationOf } from '../api-client/index.ts';

export interface Submission {
  sending: boolean;
  /** Why it was refused, and what to do next; shown in place by `Refusal`. */
  refusal: string | undefined;
  /**
   * Sends something with calls whose failures are shown in place (`announce: false`). While it is being sent, nothing else is,
   * however often this is called.
   * @param explain the refusal to show; none if the failure is shown elsewhere
   */
  submit: (work: () => Promise<void>, explain?: (failure: ApiFailure) => string | undefined) => Promise<void>;
}

/** The state of something that a person sends. */
export const useSubmit = (): Submission => {
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  // A second click may arrive before the screen has re-rendered.
  const busy = useRef(false);
  const submit: Submission['submit'] = async (work, explain = explanationOf) => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    setRefusal(undefined);
    await attempt(work, (failure) => setRefusal(explain(failure)));
    busy.current = false;
    setSending(false);
  };
  return { sending, refusal, submit };
};
