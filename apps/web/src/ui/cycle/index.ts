export { CycleSpan } from './cycle-span.tsx';
export { useCycleText } from './use-cycle-text.ts';
