export { durationText } from './duration.ts';
export { joinList, joinStatements } from './join-texts.ts';
export { type ByteUnit, inUnit, unitOf } from './numbers.ts';
export { normaliseForSearch } from './search-text.ts';
export { type Format, useFormat } from './use-format.ts';
