import { type LiveEvent, type LiveEventName, liveEvents } from '@simcube/contract';
import { createListeners } from '../store/index.ts';
import { now } from '../time/index.ts';
import { createSseParser, type SseMessage } from './sse-parser.ts';

/** `connecting`: for the first time; `lost`: was open or could not be opened, and is being reopened. */
export type LiveState = 'connecting' | 'streaming' | 'lost';

/** `id` is the message's id, which begins with the transaction of the fact (`includesEvent`). */
export type LiveHandler<N extends LiveEventName> = (
  data: Extract<LiveEvent, { name: N }>['data'],
  id: string,
) => void;

export interface LiveClient {
  start: () => void;
  stop: () => void;
  /** Checks that the server is still there by reopening the stream now, after the last event. */
  probe: () => void;
  on: <N extends LiveEventName>(name: N, handler: LiveHandler<N>) => () => void;
  state: () => LiveState;
  /** Id of the last message; all later events will be delivered. Null until the stream has been open. */
  position: () => string | null;
  /** While the stream is being reopened: when the last data arrived, in milliseconds since 1970. */
  silentSince: () => number | null;
  subscribe: (listener: () => void) => () => void;
}

export interface LiveOptions {
  /** Opens the stream after the event with this id; rejects if it can't. */
  open: (request: { lastEventId: string | null; signal: AbortSignal }) => Promise<Response>;
  /** Whether to retry after this failure: not after the session has ended. */
  shouldRetry: (error: unknown) => boolean;
  /** Time without data after which the stream counts as dead; the server sends comments more often. */
  silenceMs?: number;
  /** Time that a probed stream has to reopen before it counts as lost. */
  probeMs?: number;
  /** First and longest pause before a reconnection. */
  backoffMs?: { first: number; longest: number };
  random?: () => number;
}

/** The live stream over `fetch`, because `EventSource` can't send the bearer token in a header. */
export const createLiveClient = ({
  open,
  shouldRetry,
  silenceMs = 12_000,
  probeMs = 1000,
  backoffMs = { first: 500, longest: 15_000 },
  random = Math.random,
}: LiveOptions): LiveClient => {
  const handlers = new Map<string, Set<(data: never, id: string) => void>>();
  const { subscribe, notify } = createListeners();
  let state: LiveState = 'connecting';
  let lastEventId: string | null = null;
  let firstPause = backoffMs.first;
  let running: AbortController | null = null;
  /** Aborts the current attempt or the pause after it. */
  let currentAttempt = new AbortController();
  let lastDataAt = 0;
  let silentSince: number | null = null;

  const setState = (next: LiveState, silent: number | null = null): void => {
    if (state === next && silentSince === silent) return;
    state = next;
    silentSince = silent;
    notify();
  };

  const deliver = (message: SseMessage): void => {
    if (message.id !== null) lastEventId = message.id;
    const event = readEvent(message);
    if (!event) return;
    for (const handler of handlers.get(event.name) ?? []) handler(event.data as never, lastEventId ?? '');
  };

  /** Whether this stream delivered anything: one that is accepted and closed immediately counts as a failure. */
  let hasReceivedData = false;

  const readStream = async (signal: AbortSignal): Promise<void> => {
    hasReceivedData = false;
    const attempt = new AbortController();
    const watch = watchdog(silenceMs, () => attempt.abort());
    const stopped = AbortSignal.any([signal, attempt.signal]);
    const probeTimer = setTimeout(() => {
      if (state === 'streaming') setState('lost', lastDataAt);
    }, probeMs);
    try {
      const response = await open({ lastEventId, signal: stopped });
      clearTimeout(probeTimer);
      lastDataAt = now();
      setState('streaming');
      const parser = createSseParser({
        message: deliver,
        retry: (ms) => {
          firstPause = Math.min(ms, backoffMs.longest);
        },
      });
      await pump(response, stopped, (text) => {
        watch.renew();
        lastDataAt = now();
        hasReceivedData = true;
        parser.push(text);
      });
    } finally {
      clearTimeout(probeTimer);
      watch.end();
      attempt.abort();
    }
  };

  /** Full jitter: prevents many consoles from reconnecting at the same instant after a restart of the server. */
  const pauseBefore = (attempt: number): number =>
    random() * Math.min(backoffMs.longest, firstPause * 2 ** attempt);

  const run = async (signal: AbortSignal): Promise<void> => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      currentAttempt = new AbortController();
      const current = AbortSignal.any([signal, currentAttempt.signal]);
      try {
        await readStream(current);
      } catch (error) {
        if (!current.aborted && !shouldRetry(error)) {
          if (running?.signal === signal) running = null;
          setState('lost');
          return;
        }
      }
      if (signal.aborted) return;
      if (hasReceivedData || currentAttempt.signal.aborted) failures = 0;
      if (currentAttempt.signal.aborted) continue;
      setState('lost', lastDataAt);
      await pause(pauseBefore(failures), current);
    }
  };

  return {
    start: () => {
      if (running) return;
      running = new AbortController();
      lastDataAt = now();
      void run(running.signal);
    },
    stop: () => {
      running?.abort();
      running = null;
      setState('connecting');
    },
    probe: () => currentAttempt.abort(),
    on: (name, handler) => {
      const eventHandlers = handlers.get(name) ?? new Set();
      eventHandlers.add(handler as (data: never, id: string) => void);
      handlers.set(name, eventHandlers);
      return () => eventHandlers.delete(handler as (data: never, id: string) => void);
    },
    state: () => state,
    position: () => lastEventId,
    silentSince: () => silentSince,
    subscribe,
  };
};

/** Ignores events that this console doesn't know, or whose content is invalid. */
const readEvent = ({ event, data }: SseMessage): LiveEvent | null => {
  if (!Object.hasOwn(liveEvents, event)) return null;
  try {
    const name = event as LiveEventName;
    const parsed = liveEvents[name].safeParse(JSON.parse(data));
    return parsed.success ? ({ name, data: parsed.data } as LiveEvent) : null;
  } catch {
    return null;
  }
};

const pump = async (
  response: Response,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> => {
  const reader = response.body?.getReader();
  if (!reader) return;
  const cancel = (): void => {
    void reader.cancel().catch(() => undefined);
  };
  signal.addEventListener('abort', cancel, { once: true });
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      onText(decoder.decode(value, { stream: true }));
    }
  } finally {
    signal.removeEventListener('abort', cancel);
    cancel();
  }
};

const watchdog = (ms: number, onTimeout: () => void): { renew: () => void; end: () => void } => {
  let timer = setTimeout(onTimeout, ms);
  return {
    renew: () => {
      clearTimeout(timer);
      timer = setTimeout(onTimeout, ms);
    },
    end: () => clearTimeout(timer),
  };
};

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
