import { attribute } from './attributes.ts';
import type { RadiusPacket } from './packet.ts';
import { readText } from './text.ts';

const isDigit = (octet: number): boolean => octet >= 0x30 && octet <= 0x39;

/** Digits of an identity: as text (the standard form) or, from some gateways, as nibble-swapped BCD with F filler. */
export function readDigits(raw: Buffer, start: number, end: number): string | undefined {
  let last = end;
  while (last > start && raw[last - 1] === 0) last -= 1;
  let isText = last > start;
  for (let i = start; i < last && isText; i += 1) isText = isDigit(raw[i] ?? 0);
  return isText ? readText(raw, start, last) : readBcd(raw, start, end);
}

function readBcd(raw: Buffer, start: number, end: number): string | undefined {
  if (end - start < 3 || end - start > 8) return undefined;
  let digits = '';
  for (let i = start; i < end; i += 1) {
    const octet = raw[i] ?? 0;
    const low = octet & 15;
    const high = octet >> 4;
    if (low > 9 || (high > 9 && !(high === 15 && i === end - 1))) return undefined;
    digits += high === 15 ? `${low}` : `${low}${high}`;
  }
  return digits;
}

/** The Luhn check digit for these digits (ITU-T E.118 for ICCID, TS 23.003 §6.2.1 for IMEI). */
export function luhnDigit(digits: string): number {
  let sum = 0;
  for (let place = 1; place <= digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - place) - 0x30;
    const value = place % 2 === 1 ? digit * 2 : digit;
    sum += value > 9 ? value - 9 : value;
  }
  return (10 - (sum % 10)) % 10;
}

/**
 * The fifteen-digit IMEI of an IMEISV (sixteen digits, the last two are the software version) or of an IMEI whose check
 * digit was sent as zero, as on the radio interface (TS 23.003 §6.2.1). Undefined for other lengths.
 */
export function imeiOf(digits: string): string | undefined {
  if (digits.length < 14 || digits.length > 16) return undefined;
  const body = digits.slice(0, 14);
  return `${body}${luhnDigit(body)}`;
}

/** The digits of 3GPP-IMSI, in either form; undefined if absent or not an IMSI. */
export function readImsi(packet: RadiusPacket): string | undefined {
  const at = packet.find(attribute.imsi);
  return at < 0 ? undefined : imsiIn(packet.raw, at, packet.valueEnd(at));
}

/** The IMSI that these octets contain. */
export function imsiIn(raw: Buffer, start: number, end: number): string | undefined {
  const digits = readDigits(raw, start, end);
  return digits !== undefined && isImsi(digits) ? digits : undefined;
}

/** An IMSI has six to fifteen digits (TS 23.003 §2.2). */
const isImsi = (digits: string): boolean => digits.length >= 6 && digits.length <= 15;
