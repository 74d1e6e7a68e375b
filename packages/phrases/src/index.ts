import {
  defaultLanguage,
  type ErrorCode,
  errors,
  type Language,
  limits,
  toInputIssues,
} from '@simcube/contract';
import { bundle as enUS } from './en-US/index.ts';
import { bundle as esES } from './es-ES/index.ts';
import type { PhraseKey, Phrases, PhraseValues } from './shape.ts';
import { bundle as zhCN } from './zh-CN/index.ts';
import { bundle as zhTW } from './zh-TW/index.ts';

export type { PhraseKey, Phrases, PhraseValues } from './shape.ts';

const bundles: Record<Language, Phrases> = { 'en-US': enUS, 'zh-CN': zhCN, 'zh-TW': zhTW, 'es-ES': esES };

/**
 * One phrase in one language, with `{{name}}` replaced by its value (the syntax of i18next, which the console
 * uses). Loads all four languages into memory, for the server; the console imports `@simcube/phrases/load`.
 */
export const phrase = (language: Language, key: PhraseKey, values: PhraseValues = {}): string =>
  interpolate(lookUp(bundles[language], key) ?? lookUp(bundles[defaultLanguage], key) ?? key, values);

/** Values of errors that are stored and shown by their code alone: why a single SIM was refused. */
const storedValues: Partial<Record<ErrorCode, PhraseValues>> = { 'CB-01-0017': { max: limits.tags.perSim } };

/** The message of an error. */
export const errorText = (language: Language, code: ErrorCode, values?: PhraseValues): string =>
  phrase(language, `errors.${errors[code].key}`, { ...storedValues[code], ...values });

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Bytes in binary units (1 GB = 1,024 MB), with three significant digits. */
export const bytesText = (language: Language, bytes: number): string => {
  const exponent = bytes < 1 ? 0 : Math.min(Math.floor(Math.log2(bytes) / 10), byteUnits.length - 1);
  const amount = bytes / 1024 ** exponent;
  const digits = amount >= 1000 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 };
  return `${new Intl.NumberFormat(language, { ...digits, useGrouping: 'always' }).format(amount)} ${byteUnits[exponent]}`;
};

/** Schema issues as sentences, each prefixed with its field; issues without a path are prefixed with `name`. */
export const issueSentences = (
  language: Language,
  issues: readonly Parameters<typeof toInputIssues>[0][],
  name = '',
): string[] =>
  issues
    .flatMap(toInputIssues)
    .map(({ path, key, values }) => `${path || name}: ${phrase(language, `errors.issues.${key}`, values)}`);

const lookUp = (bundle: Phrases, key: string): string | undefined => {
  let node: unknown = bundle;
  for (const part of key.split('.')) {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, part)) return undefined;
    node = (node as Record<string, unknown>)[part];
  }
  return typeof node === 'string' ? node : undefined;
};

const interpolate = (text: string, values: PhraseValues): string =>
  text.replace(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : placeholder,
  );
