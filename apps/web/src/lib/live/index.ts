export type { LiveState } from './live-client.ts';
export { useLive, useLiveState, useLiveStream } from './use-live.ts';
