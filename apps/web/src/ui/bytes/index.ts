export { Bytes, type BytesProps } from './bytes.tsx';
