export { isNowhere, tabStopsIn } from './tab-stops.ts';
