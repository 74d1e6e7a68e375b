export { FileDrop, type FileDropProps } from './file-drop.tsx';
export type { FileRules } from './file-rules.ts';
