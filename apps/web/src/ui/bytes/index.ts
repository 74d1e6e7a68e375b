export { Bytes, type BytesProps, useExactBytes } from './bytes.tsx';
export { unitNextToLimit } from './used-of-limit.ts';
