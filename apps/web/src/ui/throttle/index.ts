export { useThrottled } from './use-throttled.ts';
