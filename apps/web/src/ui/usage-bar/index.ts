export { UsageBar, type UsageBarProps } from './usage-bar.tsx';
export { usageTone } from './usage-tone.ts';
