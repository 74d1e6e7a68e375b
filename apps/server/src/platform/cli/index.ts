export { argumentParser, definedOptions, idArgument, using, wholeNumber } from './arguments.ts';
export { oneLine, watchOutput } from './output.ts';
export { requireRereadable } from './rereadable.ts';
export { readNewSecret, readSecret, readSecretLine, secretOf } from './secret-prompt.ts';
export { issueSentences, readable, sentenceOf } from './sentences.ts';
export { readStrictJson } from './strict-json.ts';
