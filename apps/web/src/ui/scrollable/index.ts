export { Scrollable } from './scrollable.tsx';
