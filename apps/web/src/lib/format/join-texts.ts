import { translate } from '../language/index.ts';

/** Texts as a list, with the commas of the language. */
export const joinList = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : texts.reduce((first, next) => translate('kit.marks.list', { first, next }));

/** Statements of several words, with the semicolons of the language. */
export const joinStatements = (texts: readonly string[]): string =>
  texts.length === 0 ? '' : texts.reduce((first, next) => translate('kit.marks.statements', { first, next }));
