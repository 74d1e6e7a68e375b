export { useHandler } from './use-handler.ts';
