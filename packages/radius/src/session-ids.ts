import { isUtf8 } from 'node:buffer';
import { readText } from './text.ts';

/**
 * An Acct-Session-Id as text that uniquely represents its octets. RFC 2866, 5.5 requires UTF-8; if a gateway sends other
 * octets or a NUL inside, all octets that are not printable ASCII are escaped as `=XX`, as in FreeRADIUS.
 */
export function readSessionId(raw: Buffer, start: number, end: number): string {
  const text = readText(raw, start, end);
  if (text.includes(replacementCharacter) && !isText(trimTrailingNuls(raw.subarray(start, end)))) {
    // Trailing NULs do not end a string here; they are part of the id.
    return escaped(raw.subarray(start, end));
  }
  return isEscaped(text) ? escaped(Buffer.from(text)) : text;
}

/** The octets that a gateway sent, without the NULs that terminate a string. */
export const sessionIdOctets = (id: string): Buffer =>
  isEscaped(id) ? unescaped(id) : Buffer.from(id, 'utf8');

const replacementCharacter = '\ufffd';

const isText = (octets: Buffer): boolean => isUtf8(octets) && !octets.includes(0);

const trimTrailingNuls = (octets: Buffer): Buffer => {
  let last = octets.length;
  while (last > 0 && octets[last - 1] === 0) last -= 1;
  return octets.subarray(0, last);
};

const printable = /^(?:[ -<>-~]|=[\dA-F]{2})*$/;

/** Whether a text is the escaped form of octets, as returned by `readSessionId`. */
const isEscaped = (text: string): boolean => {
  if (!text.includes('=') || !printable.test(text)) return false;
  const octets = unescaped(text);
  return readSessionId(octets, 0, octets.length) === text && text !== octets.toString('utf8');
};

const unescaped = (text: string): Buffer =>
  Buffer.from(
    text.replace(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );

const escaped = (octets: Buffer): string => {
  let text = '';
  for (const octet of octets) {
    const isPlain = octet >= 0x20 && octet < 0x7f && octet !== 0x3d;
    text += isPlain ? String.fromCharCode(octet) : `=${octet.toString(16).toUpperCase().padStart(2, '0')}`;
  }
  return text;
};
