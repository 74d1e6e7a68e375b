import { type InputIssue, toInputIssues } from '@simcube/contract';
import { smsContentSchema } from '@simcube/contract/sms';
import { countText, type ForcingCharacter, replaceWithGsm, type TextCount } from '@simcube/smpp/text';

export interface Measure extends TextCount {
  /** The text as sent; undefined while it is invalid. */
  content: string | undefined;
  /** Why it is invalid, unless it is empty. */
  issue: InputIssue | undefined;
  /** The characters that force UCS-2, without duplicates. */
  culprits: readonly ForcingCharacter[];
  /** The same text in GSM 7-bit, if possible. */
  cure: Cure | undefined;
}

export interface Cure {
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
  const culprits = count.forcing.filter(
    ({ character }, index) => count.forcing.findIndex((other) => other.character === character) === index,
  );
  return { ...count, content, issue, culprits, cure: cureOf(text, count) };
};

const cureOf = (text: string, { encoding }: TextCount): Cure | undefined => {
  if (encoding === 'gsm7') return undefined;
  for (const meaning of ['same', 'similar'] as const) {
    const replaced = replaceWithGsm(text, meaning);
    const { encoding: now, parts } = countText(replaced);
    if (now === 'gsm7' && parts > 0) return { text: replaced, parts, changesWords: meaning === 'similar' };
  }
  return undefined;
};
