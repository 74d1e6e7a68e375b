export {
  countText,
  type ForcingCharacter,
  type TextCount,
  type TextEncoding,
  unitsOf,
} from './count-text.ts';
export { decodeGsm, isGsmText } from './gsm-alphabet.ts';
export { type GsmReplacement, gsmReplacement, replaceWithGsm } from './gsm-replacements.ts';
export {
  type DefaultAlphabet,
  MAX_PARTS,
  type SegmentedText,
  segmentText,
  type TextSegment,
} from './segment-text.ts';
