import { createContext, use, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type ApiFailure, announceFailure, attempt, explanationOf } from '../api-client/index.ts';

/** A dialog or a drawer as seen by what is inside it. */
export interface Enclosure {
  /** Something inside is being sent: it stays open until the response. */
  isSending: boolean;
  /** Something is being sent from now on, until the returned function is called. */
  startSending: () => () => void;
}

/** A page: it can be left at any time. */
export const EnclosureContext = createContext<Enclosure>({
  isSending: false,
  startSending: () => () => undefined,
});

export interface SubmitOptions<R> {
  /**
   * What follows on screen: closing a dialog, opening a page, clearing a selection. It is not called if the sender is gone by then,
   * as the person may be doing something else; on a hidden page it waits until that is shown again. What concerns data belongs to
   * the work itself.
   */
  onDone?: ((result: R) => void | Promise<void>) | undefined;
  /** The work can be abandoned: the dialog around it may be closed meanwhile, and a failure is then of no interest. */
  mayAbandon?: boolean;
}

export interface Submission<R = void> {
  sending: boolean;
  /** Why it was refused, and what to do next; shown in place by `Refusal`. */
  refusal: string | undefined;
  /**
   * Sends something with calls whose failures are shown in place (`announce: false`), or as a toast if that place is gone. While it
   * is being sent, nothing else is, however often this is called, and the dialog or drawer around it stays open.
   * @param explain the refusal to show; none if the failure is shown elsewhere
   */
  submit: (work: () => Promise<R>, explain?: (failure: ApiFailure) => string | undefined) => Promise<void>;
}

/** The state of something that a person sends. */
export const useSubmit = <R = void>({ onDone, mayAbandon = false }: SubmitOptions<R> = {}): Submission<R> => {
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const { startSending } = use(EnclosureContext);
  const { isShown, follow } = useFollowUp(onDone);
  // A second click may arrive before the screen has re-rendered.
  const busy = useRef(false);
  const submit: Submission<R>['submit'] = async (work, explain = explanationOf) => {
    if (busy.current) return;
    busy.current = true;
    const stopSending = mayAbandon ? undefined : startSending();
    setSending(true);
    setRefusal(undefined);
    try {
      await attempt(
        async () => follow(await work()),
        (failure) => {
          setRefusal(explain(failure));
          if (!isShown() && !mayAbandon) announceFailure(failure);
        },
      );
    } finally {
      busy.current = false;
      stopSending?.();
      setSending(false);
    }
  };
  return { sending, refusal, submit };
};

/** Runs what follows a response, as of the last render, while its component is on screen. */
const useFollowUp = <R>(onDone: SubmitOptions<R>['onDone']) => {
  const latest = useRef(onDone);
  useLayoutEffect(() => {
    latest.current = onDone;
  });
  const shown = useRef(false);
  const due = useRef<{ result: R }>(undefined);
  useEffect(() => {
    shown.current = true;
    const { current } = due;
    due.current = undefined;
    if (current) void attempt(async () => latest.current?.(current.result));
    return () => {
      shown.current = false;
    };
  }, []);
  const follow = async (result: R): Promise<void> => {
    if (shown.current) await latest.current?.(result);
    else due.current = { result };
  };
  return { isShown: () => shown.current, follow };
};
