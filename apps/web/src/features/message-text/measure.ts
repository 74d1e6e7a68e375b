import { type InputIssue, toInputIssues } from '@simcube/contract';
import { smsContentSchema } from '@simcube/contract/sms';
import { countText, type ForcingCharacter, replaceWithGsm, type TextCount } from '@simcube/smpp/text';

export interface Measure extends TextCount {
  /** The text as sent; undefined while it is invalid. */
  content: string | undefined;
  /** Why it is invalid, unless it is empty. */
  issue: InputIssue | undefined;
  /** The characters that force UCS-2, without duplicates. */
  forcingCharacters: readonly ForcingCharacter[];
  /** The same text in GSM 7-bit, if possible. */
  gsmAlternative: GsmAlternative | undefined;
}

export interface GsmAlternative {
  text: string;
  parts: number;
  /** A letter loses its accent or shape, which may change a word. */
  changesWords: boolean;
}

/** Measures the typed text as the server sends it. */
export const measureOf = (typed: string): Measure => {
  const { data: content, error } = smsContentSchema.safeParse(typed);
  const [issue] = typed.trim() === '' ? [] : (error?.issues.flatMap(toInputIssues) ?? []);
  const text = content ?? typed;
  const count = countText(text);
  const forcingCharacters = count.forcing.filter(
    ({ character }, index) => count.forcing.findIndex((other) => other.character === character) === index,
  );
  return { ...count, content, issue, forcingCharacters, gsmAlternative: findGsmAlternative(text, count) };
};

const findGsmAlternative = (text: string, { encoding }: TextCount): GsmAlternative | undefined => {
  if (encoding === 'gsm7') return undefined;
  for (const similarity of ['same', 'similar'] as const) {
    const replaced = replaceWithGsm(text, similarity);
    const { encoding: newEncoding, parts } = countText(replaced);
    if (newEncoding === 'gsm7' && parts > 0)
      return { text: replaced, parts, changesWords: similarity === 'similar' };
  }
  return undefined;
};
