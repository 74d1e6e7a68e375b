export { Bytes, type BytesProps, useExactBytes } from './bytes.tsx';
export { unitBesideLimit } from './used-of-limit.ts';
