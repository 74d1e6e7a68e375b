export { CopyLines } from './copy-lines.tsx';
