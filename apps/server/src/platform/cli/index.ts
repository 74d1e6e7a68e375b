export { argumentOf, using } from './arguments.ts';
export { readSecret } from './secret-prompt.ts';
export { sentenceOf } from './sentences.ts';
