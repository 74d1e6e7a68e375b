export { Failure, type FailureProps } from './failure.tsx';
export { Refusal, useRefusal } from './refusal.tsx';
