export { lifecycleTones } from './lifecycle-tones.ts';
export { Dot, Status, type StatusProps, type Tone } from './status.tsx';
