export { durationText } from './duration.ts';
export { type ByteUnit, inUnit, unitOf } from './numbers.ts';
export { type Format, useFormat } from './use-format.ts';
