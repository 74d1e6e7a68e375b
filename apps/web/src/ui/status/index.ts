export { Dot, Status, type StatusProps, type Tone } from './status.tsx';
