export type { LiveState } from './live-client.ts';
export { livePosition, probeLive, useLive, useLiveState, useLiveStream, useSilentSince } from './use-live.ts';
export { type Heard, mayFollow, usedBytes } from './used-bytes.ts';
