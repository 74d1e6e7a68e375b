export { actionText, entryText } from './entry-text.ts';
