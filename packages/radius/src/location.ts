/** A mobile network: MCC with three digits, MNC with two or three (leading zeros are significant). */
export interface Plmn {
  readonly mcc: string;
  readonly mnc: string;
}

/** Contents of 3GPP-User-Location-Info (TS 29.061 §16.4.7.2, coded as in TS 29.274 §8.21). */
export type UserLocation =
  | ({ readonly type: 'cgi'; readonly lac: number; readonly cellId: number } & Plmn)
  | ({ readonly type: 'sai'; readonly lac: number; readonly serviceArea: number } & Plmn)
  | ({ readonly type: 'rai'; readonly lac: number; readonly routingArea: number } & Plmn)
  | ({ readonly type: 'tai'; readonly tac: number } & Plmn)
  | ({ readonly type: 'ecgi'; readonly cellId: number } & Plmn)
  | ({ readonly type: 'tai-ecgi'; readonly tac: number; readonly cellId: number } & Plmn)
  | ({ readonly type: 'ncgi'; readonly cellId: number } & Plmn)
  | ({ readonly type: '5gs-tai'; readonly tac: number } & Plmn)
  | ({ readonly type: '5gs-tai-ncgi'; readonly tac: number; readonly cellId: number } & Plmn);

/** A received location; of types that name a node instead of a cell, only the network is read. */
export type ReceivedLocation = UserLocation | ({ readonly type: 'network' } & Plmn);

const typeOctet: Record<UserLocation['type'], number> = {
  cgi: 0,
  sai: 1,
  rai: 2,
  tai: 128,
  ecgi: 129,
  'tai-ecgi': 130,
  ncgi: 135,
  '5gs-tai': 136,
  '5gs-tai-ncgi': 137,
};

/** The location of a User-Location-Info value; undefined for an unknown type or length. Never throws. */
export function decodeUserLocation(value: Uint8Array): ReceivedLocation | undefined {
  const plmn = value.length >= 4 ? decodePlmn(value, 1) : undefined;
  if (plmn === undefined) return undefined;
  const has = (octets: number): boolean => value.length === octets;
  switch (value[0]) {
    case 0:
      return has(8) ? { type: 'cgi', ...plmn, lac: uint(value, 4, 2), cellId: uint(value, 6, 2) } : undefined;
    case 1:
      return has(8)
        ? { type: 'sai', ...plmn, lac: uint(value, 4, 2), serviceArea: uint(value, 6, 2) }
        : undefined;
    case 2:
      // The routing area code is one octet; a second one of all ones pads it to the length of the others.
      return has(8) || has(7)
        ? { type: 'rai', ...plmn, lac: uint(value, 4, 2), routingArea: uint(value, 6, 1) }
        : undefined;
    case 128:
      return has(6) ? { type: 'tai', ...plmn, tac: uint(value, 4, 2) } : undefined;
    case 129:
      return has(8) ? { type: 'ecgi', ...plmn, cellId: eci(value, 4) } : undefined;
    case 130:
      return decodeAreaAndCell(value, { type: 'tai-ecgi', at: 6, length: 13 });
    // An eNodeB or NG-RAN node, or an area with one: the network comes first in each.
    case 131:
    case 132:
    case 133:
    case 134:
    case 138:
    case 139:
      return { type: 'network', ...plmn };
    case 135:
      return has(9) ? { type: 'ncgi', ...plmn, cellId: nci(value, 4) } : undefined;
    case 136:
      return has(7) ? { type: '5gs-tai', ...plmn, tac: uint(value, 4, 3) } : undefined;
    case 137:
      return decodeAreaAndCell(value, { type: '5gs-tai-ncgi', at: 7, length: 15 });
    default:
      return undefined;
  }
}

/** Area and cell each contain a network; in a shared network they differ, and the cell's is the serving one. */
function decodeAreaAndCell(
  value: Uint8Array,
  form: { type: 'tai-ecgi' | '5gs-tai-ncgi'; at: number; length: number },
): UserLocation | undefined {
  const plmn = value.length === form.length ? decodePlmn(value, form.at) : undefined;
  if (plmn === undefined) return undefined;
  return form.type === 'tai-ecgi'
    ? { type: form.type, ...plmn, tac: uint(value, 4, 2), cellId: eci(value, form.at + 3) }
    : { type: form.type, ...plmn, tac: uint(value, 4, 3), cellId: nci(value, form.at + 3) };
}

/** The value of User-Location-Info for a location; numbers too large for their field are truncated. */
export function encodeUserLocation(location: UserLocation): Uint8Array {
  const plmn = encodePlmn(location);
  const head = [typeOctet[location.type], ...plmn];
  switch (location.type) {
    case 'cgi':
      return Uint8Array.from([...head, ...octets(location.lac, 2), ...octets(location.cellId, 2)]);
    case 'sai':
      return Uint8Array.from([...head, ...octets(location.lac, 2), ...octets(location.serviceArea, 2)]);
    case 'rai':
      return Uint8Array.from([...head, ...octets(location.lac, 2), location.routingArea & 0xff, 0xff]);
    case 'tai':
      return Uint8Array.from([...head, ...octets(location.tac, 2)]);
    case 'ecgi':
      return Uint8Array.from([...head, ...cell(location.cellId, 4)]);
    case 'tai-ecgi':
      return Uint8Array.from([...head, ...octets(location.tac, 2), ...plmn, ...cell(location.cellId, 4)]);
    case 'ncgi':
      return Uint8Array.from([...head, ...cell(location.cellId, 5)]);
    case '5gs-tai':
      return Uint8Array.from([...head, ...octets(location.tac, 3)]);
    case '5gs-tai-ncgi':
      return Uint8Array.from([...head, ...octets(location.tac, 3), ...plmn, ...cell(location.cellId, 5)]);
  }
}

/**
 * A key that identifies a cell in all records: `214-07-12345` (LTE, NR cell identity) or
 * `214-07-1001-52` (area and cell of GSM and UMTS). Undefined if only an area is known.
 */
export function cellKey(location: ReceivedLocation): string | undefined {
  const { mcc, mnc } = location;
  switch (location.type) {
    case 'cgi':
      return `${mcc}-${mnc}-${location.lac}-${location.cellId}`;
    case 'sai':
      return `${mcc}-${mnc}-${location.lac}-${location.serviceArea}`;
    case 'ecgi':
    case 'tai-ecgi':
    case 'ncgi':
    case '5gs-tai-ncgi':
      return `${mcc}-${mnc}-${location.cellId}`;
    default:
      return undefined;
  }
}

/** Three octets of nibble-swapped digits (TS 24.008 §10.5.1.13): MCC2 MCC1, MNC3 MCC3, MNC2 MNC1; MNC3 = F for two. */
export function decodePlmn(value: Uint8Array, at = 0): Plmn | undefined {
  const [a, b, c] = [value[at], value[at + 1], value[at + 2]];
  if (a === undefined || b === undefined || c === undefined) return undefined;
  const third = b >> 4;
  const isWhole = (a & 15) <= 9 && a >> 4 <= 9 && (b & 15) <= 9 && (c & 15) <= 9 && c >> 4 <= 9;
  if (!isWhole || (third > 9 && third !== 15)) return undefined;
  return {
    mcc: `${a & 15}${a >> 4}${b & 15}`,
    mnc: third === 15 ? `${c & 15}${c >> 4}` : `${c & 15}${c >> 4}${third}`,
  };
}

export function encodePlmn({ mcc, mnc }: Plmn): Uint8Array {
  const digit = (text: string, index: number): number => Number(text[index] ?? 15) & 15;
  return Uint8Array.of(
    (digit(mcc, 1) << 4) | digit(mcc, 0),
    (digit(mnc, 2) << 4) | digit(mcc, 2),
    (digit(mnc, 1) << 4) | digit(mnc, 0),
  );
}

/** Parses the text of 3GPP-SGSN-MCC-MNC and similar attributes: five or six digits, MCC first. */
export function parseMccMnc(text: string): Plmn | undefined {
  return /^\d{5,6}$/.test(text) ? { mcc: text.slice(0, 3), mnc: text.slice(3) } : undefined;
}

/** Radio technologies by 3GPP-RAT-Type (TS 29.061 §16.4.7.2, values of TS 29.274 §8.17). */
export const ratTypes = {
  UTRAN: 1,
  GERAN: 2,
  WLAN: 3,
  GAN: 4,
  'HSPA-Evolution': 5,
  EUTRAN: 6,
  Virtual: 7,
  'NB-IoT': 8,
  'LTE-M': 9,
  NR: 51,
  'IEEE-802.16e': 101,
  eHRPD: 102,
  HRPD: 103,
  '1xRTT': 104,
} as const;

export type RatName = keyof typeof ratTypes;

/**
 * By value: also NR as gateways with GTP report it, and LTE, NB-IoT and LTE-M by satellite, of which there are four each
 * (low, medium and geostationary orbit, and others).
 */
const ratNames = new Map<number, RatName>([
  ...Object.entries(ratTypes).map(([name, code]): [number, RatName] => [code, name as RatName]),
  [10, 'NR'],
  ...[11, 12, 13, 14].map((code): [number, RatName] => [code, 'EUTRAN']),
  ...[15, 16, 17, 18].map((code): [number, RatName] => [code, 'NB-IoT']),
  ...[19, 20, 21, 22].map((code): [number, RatName] => [code, 'LTE-M']),
]);

/** The name of a RAT-Type value; `RAT-N` for values that are not in the table. */
export const ratName = (code: number): RatName | `RAT-${number}` => ratNames.get(code) ?? `RAT-${code}`;

/**
 * 3GPP-MS-TimeZone (TS 23.040 §9.2.3.11): quarters of an hour east of UTC, with daylight saving, in swapped semi-octets with
 * the sign in bit 3 of the first octet; then the hours of daylight saving, always zero here.
 */
export function encodeTimeZone(minutesEast: number): Uint8Array {
  const quarters = Math.min(79, Math.round(Math.abs(minutesEast) / 15));
  const sign = minutesEast < 0 ? 0x08 : 0;
  return Uint8Array.of(((quarters % 10) << 4) | sign | Math.floor(quarters / 10), 0);
}

/** Big-endian integer of up to six octets, which fits a number exactly. */
function uint(value: Uint8Array, at: number, octetCount: number): number {
  let total = 0;
  for (let i = at; i < at + octetCount; i += 1) total = total * 256 + (value[i] ?? 0);
  return total;
}

/** E-UTRAN cell identity: 28 bits; the upper four are spare. */
const eci = (value: Uint8Array, at: number): number => uint(value, at, 4) % 2 ** 28;

/** NR cell identity: 36 bits; the upper four are spare. */
const nci = (value: Uint8Array, at: number): number => uint(value, at, 5) % 2 ** 36;

const cell = (id: number, octetCount: 4 | 5): number[] => octets(id % 2 ** (octetCount * 8 - 4), octetCount);

function octets(value: number, count: number): number[] {
  const out: number[] = [];
  let rest = value;
  for (let i = 0; i < count; i += 1) {
    out.unshift(rest % 256);
    rest = Math.floor(rest / 256);
  }
  return out;
}
