export { type Moment, Timeline } from './timeline.tsx';
