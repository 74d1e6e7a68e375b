export { argumentOf, using } from './arguments.ts';
export { readSecret } from './secret-prompt.ts';
export { issueSentences, readable, sentenceOf } from './sentences.ts';
export { readStrictJson } from './strict-json.ts';
