export { Failure, type FailureProps } from './failure.tsx';
export { Refusal } from './refusal.tsx';
