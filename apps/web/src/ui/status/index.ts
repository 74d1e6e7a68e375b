export { Dot, Status, type StatusProps, type Tone, tones } from './status.tsx';
