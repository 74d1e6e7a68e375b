import { cellKey, type RatName, type UserLocation } from '@simcube/radius';
import { Random } from './random.ts';
import { type CountryRow, countryTable } from './world-table.ts';

/** Radio technologies that the devices here use. */
export type Radio = Extract<RatName, 'GERAN' | 'EUTRAN' | 'NB-IoT' | 'LTE-M' | 'NR'>;

export interface Operator {
  readonly mcc: string;
  readonly mnc: string;
  readonly name: string;
  /** ISO 3166 alpha-2. */
  readonly country: string;
  readonly radios: ReadonlySet<Radio>;
}

export interface City {
  readonly name: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Whole hours by longitude: accurate enough for a daily curve. */
  readonly utcOffsetHours: number;
}

export interface Cell {
  /** The `cellKey` (RADIUS package) of `location`. */
  readonly key: string;
  readonly operator: Operator;
  readonly city: City;
  readonly technology: CellTechnology;
  readonly latitude: number;
  readonly longitude: number;
  readonly location: UserLocation;
}

export interface Country {
  readonly code: string;
  readonly region: CountryRow['region'];
  readonly operators: readonly [Operator, ...Operator[]];
  readonly cities: readonly [City, ...City[]];
}

type CellTechnology = 'gsm' | 'lte' | 'nr';

const radioLetters = { G: 'GERAN', N: 'NB-IoT', M: 'LTE-M', '5': 'NR' } as const;

function atLeastOne<T>(list: readonly T[]): readonly [T, ...T[]] {
  const [first, ...rest] = list;
  if (first === undefined) throw new Error('The world table has an empty row');
  return [first, ...rest];
}

export const countries: readonly [Country, ...Country[]] = atLeastOne(
  countryTable.map(({ code, region, operators, cities }) => ({
    code,
    region,
    operators: atLeastOne(
      operators.map(([mcc, mnc, name, letters]) => ({
        mcc,
        mnc,
        name,
        country: code,
        radios: new Set<Radio>([
          'EUTRAN',
          ...Object.entries(radioLetters).flatMap(([letter, radio]) =>
            letters.includes(letter) ? [radio] : [],
          ),
        ]),
      })),
    ),
    cities: atLeastOne(
      cities.map(([name, latitude, longitude]) => ({
        name,
        country: code,
        latitude,
        longitude,
        utcOffsetHours: Math.round(longitude / 15),
      })),
    ),
  })),
);

/** Countries of each region, in the order of the table: the route of a truck. */
export const regions: ReadonlyMap<Country['region'], readonly [Country, ...Country[]]> = new Map(
  countries.map(({ region }) => [region, atLeastOne(countries.filter((other) => other.region === region))]),
);

const byPlmn = new Map(
  countries.flatMap(({ operators }) => operators.map((operator) => [operator.mcc + operator.mnc, operator])),
);

/** The operator of a PLMN (concatenated MCC and MNC); undefined if it is not in the table. */
export const findOperator = (plmn: string): Operator | undefined => byPlmn.get(plmn);

const byCode = new Map(countries.map((country) => [country.code, country]));

export const findCountry = (code: string): Country | undefined => byCode.get(code);

export const SITES_PER_CITY = 5;

type CellSite = Readonly<Record<CellTechnology, Cell>>;

/** Five fictitious sites of each operator in each city, always at the same places. */
const sites: ReadonlyMap<Operator, ReadonlyMap<City, readonly CellSite[]>> = new Map(
  countries.flatMap(({ operators, cities }, countryIndex) =>
    operators.map((operator, operatorIndex) => [
      operator,
      new Map(
        cities.map((city, cityIndex) => [
          city,
          Array.from({ length: SITES_PER_CITY }, (_, site) =>
            makeSite({ operator, city, numbers: { countryIndex, operatorIndex, cityIndex, site } }),
          ),
        ]),
      ),
    ]),
  ),
);

/** All cells, for a table of coordinates: RADIUS identifies cells by number only. */
export const cells: readonly Cell[] = [...sites.values()].flatMap((cities) =>
  [...cities.values()].flatMap((list) => list.flatMap((site) => Object.values(site))),
);

/** The cell of a site that serves a radio technology; undefined if the operator is not in that city's country. */
export function findCell(at: {
  operator: Operator;
  city: City;
  site: number;
  radio: Radio;
}): Cell | undefined {
  const technology = at.radio === 'GERAN' ? 'gsm' : at.radio === 'NR' ? 'nr' : 'lte';
  return sites.get(at.operator)?.get(at.city)?.[at.site % SITES_PER_CITY]?.[technology];
}

interface SiteToMake {
  operator: Operator;
  city: City;
  numbers: { countryIndex: number; operatorIndex: number; cityIndex: number; site: number };
}

function makeSite({ operator, city, numbers }: SiteToMake): CellSite {
  const { countryIndex, operatorIndex, cityIndex, site } = numbers;
  const random = new Random(countryIndex, operatorIndex, cityIndex, site);
  const latitude = round(city.latitude + random.between(-0.05, 0.05));
  const longitude = round(city.longitude + random.between(-0.07, 0.07));
  const station = 40_000 + countryIndex * 1_000 + operatorIndex * 100 + cityIndex * 10 + site;
  const plmn = { mcc: operator.mcc, mnc: operator.mnc };
  const area = 2_000 + countryIndex * 10 + cityIndex;
  const cell = (technology: CellTechnology, location: UserLocation): Cell => ({
    key: cellKey(location) ?? '',
    operator,
    city,
    technology,
    latitude,
    longitude,
    location,
  });
  return {
    gsm: cell('gsm', { type: 'cgi', ...plmn, lac: area, cellId: 10_000 + operatorIndex * 1_000 + site }),
    lte: cell('lte', { type: 'tai-ecgi', ...plmn, tac: area, cellId: station * 256 + 1 }),
    nr: cell('nr', { type: '5gs-tai-ncgi', ...plmn, tac: area, cellId: station * 4_096 + 2 }),
  };
}

function round(degrees: number): number {
  return Math.round(degrees * 10_000) / 10_000;
}
