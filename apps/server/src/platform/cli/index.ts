export { argumentOf, using } from './arguments.ts';
export { readSecret } from './secret-prompt.ts';
export { issueSentences, sentenceOf } from './sentences.ts';
