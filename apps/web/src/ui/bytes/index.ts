export { Bytes, type BytesProps } from './bytes.tsx';
export { unitBesideLimit } from './used-of-limit.ts';
