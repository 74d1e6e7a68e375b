import { attribute, type RadiusPacket, readAttribute } from '@simcube/radius';

/** Bits per second; undefined: no limit. */
export interface Rates {
  up: number | undefined;
  down: number | undefined;
}

/** The rates that an Access-Accept or CoA-Request sets; undefined when it says nothing about them. Zero lifts a limit. */
export function readRates(packet: RadiusPacket): Rates | undefined {
  const up = readAttribute(packet, attribute.wisprBandwidthMaxUp);
  const down = readAttribute(packet, attribute.wisprBandwidthMaxDown);
  if (up !== undefined || down !== undefined) return { up: up || undefined, down: down || undefined };
  const text = readAttribute(packet, attribute.mikrotikRateLimit);
  return text === undefined ? undefined : parseRateLimit(text);
}

const units = new Map([
  ['', 1],
  ['k', 1_000],
  ['M', 1_000_000],
  ['G', 1_000_000_000],
]);

/** `128k/1M`: up, then down; one number is both. What follows a blank (bursts) is left out. */
export function parseRateLimit(text: string): Rates | undefined {
  const match = /^(\d{1,10})([kMG]?)(?:\/(\d{1,10})([kMG]?))?(?: .*)?$/.exec(text);
  if (match === null) return undefined;
  const [, up = '', upUnit = '', down = up, downUnit = upUnit] = match;
  const bits = (digits: string, unit: string): number | undefined =>
    Number(digits) * (units.get(unit) ?? 1) || undefined;
  return { up: bits(up, upUnit), down: bits(down, downUnit) };
}
