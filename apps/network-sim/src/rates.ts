import { attribute, type RadiusPacket, readAttribute } from '@simcube/radius';

/** Bits per second; undefined: no limit. */
export interface Rates {
  up: number | undefined;
  down: number | undefined;
}

/** The rates set by an Access-Accept or CoA-Request; undefined if it contains none. Zero removes a limit. */
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

/** `128k/1M`: up, then down; a single number applies to both. Anything after a space (bursts) is ignored. */
export function parseRateLimit(text: string): Rates | undefined {
  const match = /^(\d{1,10})([kMG]?)(?:\/(\d{1,10})([kMG]?))?(?: .*)?$/.exec(text);
  if (match === null) return undefined;
  const [, up = '', upUnit = '', down = up, downUnit = upUnit] = match;
  const bits = (digits: string, unit: string): number | undefined =>
    Number(digits) * (units.get(unit) ?? 1) || undefined;
  return { up: bits(up, upUnit), down: bits(down, downUnit) };
}
