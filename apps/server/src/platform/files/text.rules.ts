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
  refuseDamagedUtf8(bytes, isMarked);
  const codePage = codePages[language];
  return codePage ? decode(bytes, codePage) : fromWindows1252(bytes);
};

/**
 * A file that has characters of UTF-8 and as many octets or fewer that are none was cut or pasted together: read by a
 * code page, all its other characters would be wrong. In texts of the code pages most of them are none.
 */
const refuseDamagedUtf8 = (bytes: Buffer, isMarked: boolean): void => {
  const text = new TextDecoder().decode(bytes);
  const damage = text.match(/\ufffd/g)?.length ?? 0;
  const characters = text.match(/[^\0-\x7f\ufffd]/gu)?.length ?? 0;
  if (!isMarked && (characters === 0 || characters < damage)) return;
  const row = text.slice(0, text.indexOf('\ufffd')).split(/\r\n?|\n/).length;
  throw new FileRefused('CB-09-0039', { row });
};

const decode = (bytes: Buffer, encoding: string): string => {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new FileRefused('CB-09-0006');
  }
};

/** Not the platform's own decoder: some versions treat it as Latin-1, and all accept undefined octets. */
const fromWindows1252 = (bytes: Buffer): string =>
  bytes.toString('latin1').replaceAll(/[\x80-\x9f]/g, (character) => {
    const mapped = windows1252[character.charCodeAt(0) - 0x80] ?? ' ';
    if (mapped === ' ') throw new FileRefused('CB-09-0006');
    return mapped;
  });
