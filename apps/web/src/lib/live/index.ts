export { latestUsedBytes, mayBeNewer, type Received } from './latest-used-bytes.ts';
export type { LiveState } from './live-client.ts';
export { livePosition, probeLive, useLive, useLiveState, useLiveStream, useSilentSince } from './use-live.ts';
