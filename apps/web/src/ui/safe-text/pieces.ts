export interface Piece {
  text: string;
  /** Invisible characters and those that change how the rest is read, shown by code point. */
  hidden: boolean;
}

/** Control characters except line breaks, characters that change the text direction, and those without width. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0]/u;

/** Emoji are joined and coloured by characters that are invisible on their own. */
const emoji = /^\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200D|\uFE0F)*$/u;
const characters = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Splits a text from outside into pieces that are safe to show; an invisible character becomes a piece with its name, `U+202E`.
 */
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

/** A single character in a form that is safe to show. */
export const shownCharacter = (character: string): string =>
  piecesOf(character)
    .map(({ text }) => text)
    .join('');

const nameOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
