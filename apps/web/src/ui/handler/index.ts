export { isSecondClick } from './second-click.ts';
export { useHandler } from './use-handler.ts';
