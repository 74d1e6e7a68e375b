export { usePaced } from './use-paced.ts';
