import { luhnDigit } from '@simcube/radius';
import { type DeviceKindName, deviceKindNames, deviceKinds } from './device-kinds.ts';
import { mobilityOf } from './mobility.ts';
import { Random } from './random.ts';

/** A SIM in a device, as far as the gateway needs to know it. */
export interface SimDevice {
  readonly iccid: string;
  readonly imsi: string;
  readonly msisdn: string;
  readonly imei: string;
  readonly apn: string;
  readonly kind: DeviceKindName;
  /** MCC and MNC of the network that issued the SIM. */
  readonly homePlmn: string;
}

/** A device with the names that its owner uses. */
export interface DemoDevice extends SimDevice {
  readonly index: number;
  readonly name: string;
  /** At most four tags of at most ten characters. */
  readonly tags: readonly string[];
  readonly homeCountry: string;
  readonly baseCountry: string;
  readonly baseCity: string;
}

interface Issuer {
  plmn: string;
  country: string;
  weight: number;
  /** Telecom prefix, country and issuer code of ICCIDs (ITU-T E.118), and their number of digits including the check digit. */
  iccidPrefix: string;
  iccidLength: 19 | 20;
  /** Number range for machines, and the number of digits that follow. */
  msisdnPrefix: string;
  msisdnDigits: number;
}

const issuers: readonly [Issuer, ...Issuer[]] = [
  {
    plmn: '21407',
    country: 'ES',
    weight: 60,
    iccidPrefix: '893407',
    iccidLength: 19,
    msisdnPrefix: '34590',
    msisdnDigits: 10,
  },
  {
    plmn: '20801',
    country: 'FR',
    weight: 14,
    iccidPrefix: '893301',
    iccidLength: 20,
    msisdnPrefix: '33700',
    msisdnDigits: 10,
  },
  {
    plmn: '26201',
    country: 'DE',
    weight: 12,
    iccidPrefix: '894902',
    iccidLength: 19,
    msisdnPrefix: '49151',
    msisdnDigits: 8,
  },
  {
    plmn: '310410',
    country: 'US',
    weight: 8,
    iccidPrefix: '8901410',
    iccidLength: 20,
    msisdnPrefix: '1500',
    msisdnDigits: 7,
  },
  {
    plmn: '46692',
    country: 'TW',
    weight: 6,
    iccidPrefix: '8988692',
    iccidLength: 19,
    msisdnPrefix: '8869',
    msisdnDigits: 8,
  },
];

/** Limited by the shortest number range. */
export const MAX_DEMO_DEVICES = 5_000_000;

/** A realistic fleet: the same seed gives the same devices, and a longer list begins with the shorter one. */
export function demoDevices(count: number, seed: number): DemoDevice[] {
  if (!Number.isInteger(count) || count < 0 || count > MAX_DEMO_DEVICES) {
    throw new RangeError(`Demo devices: 0 to ${MAX_DEMO_DEVICES}`);
  }
  const firstSerial = new Random(seed).integer(4_000_000);
  const cityCounts = new Map<string, number>();
  return Array.from({ length: count }, (_, index) => makeDevice({ index, seed, firstSerial, cityCounts }));
}

interface DeviceOptions {
  index: number;
  seed: number;
  /** Offset of this fleet in the number ranges, so that fleets of different seeds mostly differ. */
  firstSerial: number;
  cityCounts: Map<string, number>;
}

function makeDevice({ index, seed, firstSerial, cityCounts }: DeviceOptions): DemoDevice {
  const random = new Random(seed, index);
  const issuer = pickWeighted(issuers, random);
  const kindName = pickWeighted(
    deviceKindNames.map((name) => ({ name, weight: deviceKinds[name].share })),
    random,
  ).name;
  const kind = deviceKinds[kindName];
  const serial = firstSerial + index;
  const { plmn } = issuer;
  const imsi = plmn + digits(serial, 15 - plmn.length);
  const { base } = mobilityOf({ imsi, kind: kindName, homePlmn: plmn });
  const cityKey = `${kindName} ${base.city.name}`;
  const nth = (cityCounts.get(cityKey) ?? 0) + 1;
  cityCounts.set(cityKey, nth);
  return {
    index,
    iccid: withCheckDigit(
      issuer.iccidPrefix + digits(serial, issuer.iccidLength - 1 - issuer.iccidPrefix.length),
    ),
    imsi,
    msisdn: issuer.msisdnPrefix + digits(serial, issuer.msisdnDigits),
    imei: withCheckDigit(kind.typeCode + digits((serial * 7) % 1_000_000, 6)),
    apn: kind.apn,
    kind: kindName,
    homePlmn: plmn,
    name: nameOf({ kind: kindName, index, nth, city: base.city.name }),
    tags: [...kind.tags, base.country.code, ...(random.chance(0.15) ? ['pilot'] : [])],
    homeCountry: issuer.country,
    baseCountry: base.country.code,
    baseCity: base.city.name,
  };
}

function nameOf(options: { kind: DeviceKindName; index: number; nth: number; city: string }): string {
  const { kind, index, nth, city } = options;
  const letter = String.fromCharCode(65 + (index % 26));
  switch (kind) {
    case 'meter':
      return `Meter ${Math.floor(index / 26) + 1}-${letter}`;
    case 'tracker':
      return `Tracker ${digits(index + 1, 4)}`;
    case 'truck':
      return `Truck ${2_000 + index}`;
    case 'camera':
      return `Camera ${city} ${nth}`;
    case 'kiosk':
      return `Kiosk ${city} ${nth}`;
    case 'scooter':
      return `Scooter ${city.slice(0, 3).toUpperCase()}-${digits(nth, 3)}`;
  }
}

/** The last digits of a number, padded with zeros. */
function digits(value: number, length: number): string {
  return String(value).padStart(length, '0').slice(-length);
}

const withCheckDigit = (body: string): string => `${body}${luhnDigit(body)}`;

function pickWeighted<T extends { weight: number }>(list: readonly T[], random: Random): T {
  let rest = random.next() * list.reduce((sum, { weight }) => sum + weight, 0);
  for (const entry of list) {
    rest -= entry.weight;
    if (rest < 0) return entry;
  }
  const [first] = list;
  if (first === undefined) throw new RangeError('Nothing to choose from');
  return first;
}

/** The IMEISV that a device reports to the network: type and serial number of its IMEI, then the software version. */
export const imeisvOf = (imei: string, softwareVersion = 1): string =>
  imei.slice(0, 14) + digits(softwareVersion, 2);

/** Another device of the kind, for a SIM that was moved. */
export function otherImei(device: Pick<SimDevice, 'imsi' | 'kind'>, nth: number): string {
  const serial = new Random(Number(device.imsi.slice(-9)), nth).integer(1_000_000);
  return withCheckDigit(deviceKinds[device.kind].typeCode + digits(serial, 6));
}
