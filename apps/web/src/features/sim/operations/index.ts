export { appliesTo, type Operation, type Target, titleForOne } from './operation.ts';
export { type SimOperations, useSimOperations } from './use-sim-operations.tsx';
export { useUrlAction } from './use-url-action.ts';
