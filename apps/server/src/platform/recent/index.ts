export { lazily } from './lazily.ts';
export { RecentMap } from './recent-map.ts';
