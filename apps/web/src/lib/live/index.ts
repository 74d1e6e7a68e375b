export type { LiveState } from './live-client.ts';
export { probeLive, useLive, useLiveState, useLiveStream, useSilentSince } from './use-live.ts';
