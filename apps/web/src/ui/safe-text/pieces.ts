export interface Piece {
  text: string;
  /** What can't be seen, or would change how the rest is read, by its code point. */
  hidden: boolean;
}

/** Control characters but line breaks, what turns the direction of a text, and what takes no room. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;

/** Emoji are joined and coloured by characters that are invisible on their own. */
const emoji = /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200D|\uFE0F)*$/u;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text of others in pieces that may be shown: what is invisible as a name of its own, `U+202E`. */
export const piecesOf = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  const add = (shown: string, isHidden: boolean): void => {
    const last = pieces.at(-1);
    if (last && !isHidden && !last.hidden) last.text += shown;
    else pieces.push({ text: shown, hidden: isHidden });
  };
  for (const { segment } of characters.segment(text)) {
    if (segment === '\r\n' || emoji.test(segment)) add(segment, false);
    else
      for (const one of segment) {
        const isHidden = one !== '\n' && hidden.test(one);
        add(isHidden ? nameOf(one) : one, isHidden);
      }
  }
  return pieces;
};

/** One character as it may be shown among others. */
export const shownCharacter = (character: string): string =>
  piecesOf(character)
    .map(({ text }) => text)
    .join('');

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
