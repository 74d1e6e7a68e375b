/** The GSM 7-bit default alphabet and its extension table: 3GPP TS 23.038, §6.2.1 and §6.2.1.1. */
const basic =
  '@£$¥èéùìòÇ\nØø\rÅå' +
  'Δ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ' +
  ' !"#¤%&\'()*+,-./' +
  '0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNO' +
  'PQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmno' +
  'pqrstuvwxyzäöñüà';

const ESCAPE = 0x1b;

const extension: readonly (readonly [septet: number, character: string])[] = [
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
];

const extended = new Map(extension);

/** The septets of each character: one, or two with the escape first. */
const septets = new Map<string, readonly number[]>([
  ...[...basic].flatMap((character, septet) =>
    septet === ESCAPE ? [] : [[character, [septet]] as [string, number[]]],
  ),
  ...extension.map(([septet, character]): [string, number[]] => [character, [ESCAPE, septet]]),
]);

/** Septets of a character (a code point): 1, or 2 in the extension table; `undefined` if GSM lacks it. */
export const gsmSeptets = (character: string): readonly number[] | undefined => septets.get(character);

/** True when every character is in the default alphabet or its extension. */
export function isGsmText(text: string): boolean {
  for (const character of text) if (!septets.has(character)) return false;
  return true;
}

/**
 * Decodes text with one septet per octet, as in SMPP. Never fails: an escape before a septet that the extension table lacks
 * yields the septet itself (§6.2.1.1), a trailing escape yields a space, and the eighth bit is ignored.
 */
export function decodeGsm(octets: Uint8Array): string {
  let text = '';
  for (let at = 0; at < octets.length; at += 1) {
    const septet = (octets[at] ?? 0) & 0x7f;
    if (septet !== ESCAPE) {
      text += basic[septet];
      continue;
    }
    at += 1;
    const after = (octets[at] ?? 0x20) & 0x7f;
    // Two escapes refer to a table that does not exist yet, and yield a space (§6.2.1.1, note 1).
    text += after === ESCAPE || at >= octets.length ? ' ' : (extended.get(after) ?? basic[after]);
  }
  return text;
}
