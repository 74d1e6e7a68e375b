export { RecentMap } from './recent-map.ts';
