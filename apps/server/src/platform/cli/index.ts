export {
  argumentParser,
  type CliContext,
  definedOptions,
  idArgument,
  jsonOption,
  using,
  wholeNumber,
} from './arguments.ts';
export { oneLine, printRows, watchOutput } from './output.ts';
export { requireRereadable } from './rereadable.ts';
export { readNewSecret, readSecret, readSecretLine, secretOf } from './secret-prompt.ts';
export { issueSentences, readable, sentenceOf } from './sentences.ts';
export { readStrictJson } from './strict-json.ts';
