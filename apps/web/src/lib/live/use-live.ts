import { endpoints, type LiveEventName } from '@simcube/contract';
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { ApiFailure, isTemporary, openStream } from '../api-client/index.ts';
import { session } from '../session/index.ts';
import { createLiveClient, type LiveHandler, type LiveState } from './live-client.ts';

const live = createLiveClient({
  open: ({ lastEventId, signal }) =>
    openStream(endpoints.identity.connectLive, {
      query: { userId: session.get('userId') ?? '' },
      headers: {
        accept: 'text/event-stream',
        ...(lastEventId === null ? {} : { 'last-event-id': lastEventId }),
      },
      signal,
    }),
  // Retrying does not help after a refusal (400, 401, 403, or an ended session, which is a 200).
  shouldRetry: (error) => !(error instanceof ApiFailure) || isTemporary(error),
});

/** A hidden tab closes its connection: browsers allow six per server over HTTP/1.1. */
const hiddenTabMs = 60_000;

/** Keeps the stream open while the shell is on screen and its tab is visible; resumes after the last event. */
export const useLiveStream = (wanted: boolean): void => {
  useEffect(() => {
    if (!wanted) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === 'hidden') timer = setTimeout(live.stop, hiddenTabMs);
      else live.start();
    };
    live.start();
    // The browser's network state is only a hint: a server on this machine can be reached without a network.
    const networkEvents = ['offline', 'online'] as const;
    document.addEventListener('visibilitychange', follow);
    for (const name of networkEvents) window.addEventListener(name, live.probe);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', follow);
      for (const name of networkEvents) window.removeEventListener(name, live.probe);
      live.stop();
    };
  }, [wanted]);
};

/** Calls the handler for each event of that name while the component is on screen. */
export const useLive = <N extends LiveEventName>(name: N, handler: LiveHandler<N>): void => {
  const onEvent = useEffectEvent(handler);
  useEffect(() => live.on(name, (data, id) => onEvent(data, id)), [name]);
};

export const useLiveState = (): LiveState => useSyncExternalStore(live.subscribe, live.state);

/** While the stream is being reopened: when the server last sent something, in milliseconds since 1970. */
export const useSilentSince = (): number | null => useSyncExternalStore(live.subscribe, live.silentSince);

/** Id of the last message; all later events will be delivered. */
export const livePosition = (): string | null => live.position();

/** Makes the stream check whether the server is still there. */
export const probeLive = (): void => live.probe();
