import { isUtf8 } from 'node:buffer';
import type { Language } from '@simcube/contract';
import { FileRefused } from './refusal.ts';

/** Octets 0x80 to 0x9F of Windows-1252, with blanks for undefined ones. All others are as in Latin-1. */
const windows1252 = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** The code page in which a spreadsheet on a system of this language saves when not asked for Unicode. */
const codePages: Partial<Record<Language, string>> = { 'zh-CN': 'gb18030', 'zh-TW': 'big5' };

/**
 * The text of a file: UTF-16 or UTF-8 by its byte order mark, UTF-8 if it is valid, else the code page of the
 * language, which is Windows-1252 outside China. Text that is invalid there too is refused rather than guessed
 * at.
 * @throws FileRefused CB-09-0006, CB-09-0039
 */
export const decodeText = (bytes: Buffer, language: Language): string => {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be');
  // A file with a zero octet is binary, not text.
  if (bytes.includes(0)) throw new FileRefused('CB-09-0006');
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  if (isUtf8(bytes)) return decode(bytes, 'utf-8');
  const codePage = codePages[language];
  const decoded = codePage === undefined ? undefined : tryDecode(bytes, codePage);
  refuseDamagedUtf8(bytes, { isMarked, fitsCodePage: decoded !== undefined });
  return decoded ?? (codePage ? decode(bytes, codePage) : fromWindows1252(bytes));
};

/**
 * A file that has characters of UTF-8 and as many octets or fewer that are none was cut or pasted together: read by a
 * code page, all its other characters would be wrong. In texts of the code pages most of them are none; but pairs of
 * octets in a Chinese one often are characters of UTF-8, too: there, many more with three octets are needed.
 */
const refuseDamagedUtf8 = (
  bytes: Buffer,
  { isMarked, fitsCodePage }: { isMarked: boolean; fitsCodePage: boolean },
): void => {
  const text = new TextDecoder().decode(bytes);
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const damage = count(/\ufffd/g);
  const isUtf8Text = fitsCodePage
    ? count(/[^\0-\u07ff\ufffd]/gu) > 2 * damage
    : count(/[^\0-\x7f\ufffd]/gu) >= Math.max(1, damage);
  if (!isMarked && !isUtf8Text) return;
  const row = text.slice(0, text.indexOf('\ufffd')).split(/\r\n?|\n/).length;
  throw new FileRefused('CB-09-0039', { row });
};

const tryDecode = (bytes: Buffer, encoding: string): string | undefined => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const decode = (bytes: Buffer, encoding: string): string => {
  const text = tryDecode(bytes, encoding);
  if (text === undefined) throw new FileRefused('CB-09-0006');
  return text;
};

/** Not the platform's own decoder: some versions treat it as Latin-1, and all accept undefined octets. */
const fromWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (character) => {
    const mapped = windows1252[character.charCodeAt(0) - 0x80] ?? ' ';
    if (mapped === ' ') throw new FileRefused('CB-09-0006');
    return mapped;
  });
