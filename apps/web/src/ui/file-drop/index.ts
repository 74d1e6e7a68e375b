export { FileDrop, type FileDropProps } from './file-drop.tsx';
export { fileRulesOf } from './file-rules.ts';
export { useUpload } from './use-upload.ts';
