export { type Operation, suits, type Target } from './operation.ts';
export { type SimOperations, useSimOperations } from './use-sim-operations.tsx';
export { useStart } from './use-start.ts';
