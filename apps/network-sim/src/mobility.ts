import { type DeviceKindName, deviceKinds } from './device-kinds.ts';
import { Random, seedOf } from './random.ts';
import { hourMs } from './time.ts';
import {
  type Cell,
  type City,
  type Country,
  countries,
  findCell,
  findCountry,
  findOperator,
  type Operator,
  type Radio,
  regions,
  SITES_PER_CITY,
} from './world.ts';

export interface Place {
  readonly operator: Operator;
  readonly city: City;
  readonly radio: Radio;
  readonly cell: Cell | undefined;
}

/** Location of one device at any time: a pure function of its identity, so that history and live network agree. */
export interface Mobility {
  readonly base: { readonly country: Country; readonly city: City };
  /** `roaming` above 1 makes it change country and operator more often. */
  at(ms: number, roaming?: number): Place;
}

export interface Mobile {
  imsi: string;
  kind: DeviceKindName;
  /** Home network: MCC and MNC concatenated. */
  homePlmn: string;
}

/** Number of moves within a country before a truck drives on to the next. */
const MOVES_PER_COUNTRY = 9;

export function mobilityOf({ imsi, kind: kindName, homePlmn }: Mobile): Mobility {
  const kind = deviceKinds[kindName];
  const seed = seedOf(imsi);
  const deviceRandom = new Random(seed);
  const home = findCountry(findOperator(homePlmn)?.country ?? '') ?? countries[0];
  const reachableCountries = regions.get(home.region) ?? [home];
  const country = deviceRandom.chance(0.6) ? home : deviceRandom.pick(reachableCountries);
  const base = { country, city: deviceRandom.pick(country.cities) };
  const phase = deviceRandom.integer(1_000);
  const site = deviceRandom.integer(SITES_PER_CITY);
  const radioChoice = deviceRandom.next();
  const operatorChoice = deviceRandom.next();

  const countryAt = (slot: number, random: Random, roaming: number): Country => {
    if (kind.mobility === 'region' || (roaming > 1 && random.chance(1 - 1 / roaming))) {
      return (
        reachableCountries[
          Math.floor((slot * roaming + phase) / MOVES_PER_COUNTRY) % reachableCountries.length
        ] ?? country
      );
    }
    return country;
  };

  return {
    base,
    at(ms, roaming = 1) {
      const slot = Math.floor(ms / (kind.moveEveryHours * hourMs));
      const random = new Random(seed, slot);
      const currentCountry = countryAt(slot, random, roaming);
      const moves = kind.mobility === 'country' || kind.mobility === 'region' || currentCountry !== country;
      const city = moves ? random.pick(currentCountry.cities) : base.city;
      const isElsewhere = random.chance(Math.min(0.6, 0.06 * roaming));
      const choice = isElsewhere ? random.next() : operatorChoice;
      const operator =
        currentCountry.operators[Math.floor(choice * currentCountry.operators.length)] ??
        currentCountry.operators[0];
      const radio = radioOf(kind.radios, operator, isElsewhere ? random.next() : radioChoice);
      const atSite =
        kind.mobility === 'fixed' && currentCountry === country ? site : random.integer(SITES_PER_CITY);
      return { operator, city, radio, cell: findCell({ operator, city, site: atSite, radio }) };
    },
  };
}

/** A weighted choice among the radios that both device and operator have. */
function radioOf(weights: readonly (readonly [Radio, number])[], operator: Operator, choice: number): Radio {
  let total = 0;
  for (const [radio, weight] of weights) if (operator.radios.has(radio)) total += weight;
  let rest = choice * total;
  for (const [radio, weight] of weights) {
    if (!operator.radios.has(radio)) continue;
    rest -= weight;
    if (rest < 0) return radio;
  }
  return 'EUTRAN';
}
