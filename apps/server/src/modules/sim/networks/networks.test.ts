import { all } from 'mcc-mnc-list';
import { expect, test } from 'vitest';
import { networkRows } from './networks.queries.ts';
import { countryOfShared } from './shared-numbers.ts';

const listed = (facts: Partial<Parameters<typeof networkRows>[0][number]>) => ({
  mcc: '262',
  mnc: '02',
  brand: 'Vodafone',
  operator: 'Vodafone D2 GmbH',
  countryCode: 'DE',
  status: 'Operational',
  ...facts,
});

test('a network is identified by the digits of its code, in any notation', () => {
  expect(
    networkRows([listed({}), listed({ mcc: '310', mnc: '026', brand: null, countryCode: 'US' })]),
  ).toEqual([
    { plmn: 262_002, mcc: '262', mnc: '02', operator: 'Vodafone', country: 'DE' },
    { plmn: 310_026, mcc: '310', mnc: '026', operator: 'Vodafone D2 GmbH', country: 'US' },
  ]);
});

test('of several entries with one code the operational one is used', () => {
  const former = listed({ brand: 'Former', status: 'Not operational' });
  const operators = (list: ReturnType<typeof listed>[]) => networkRows(list).map(({ operator }) => operator);
  expect(operators([former, listed({})])).toEqual(['Vodafone']);
  expect(operators([listed({}), former])).toEqual(['Vodafone']);
  expect(operators([former])).toEqual(['Former']);
});

test('a number that several countries share is of the operator’s own, with the name that it has there', () => {
  const country = new Map(networkRows(all()).map((row) => [`${row.mcc}-${row.mnc}`, row]));
  expect(country.get('310-260')).toMatchObject({ country: 'US', operator: 'T-Mobile' });
  expect(country.get('310-410')).toMatchObject({ country: 'US', operator: 'AT&T' });
  expect(country.get('338-050')).toMatchObject({ country: 'BM', operator: 'Digicel Bermuda' });
  expect(country.get('425-06')).toMatchObject({ country: 'PS', operator: 'Ooredoo' });
  expect(country.get('340-20')).toMatchObject({ country: 'GP' });
  expect(country.get('505-01')).toMatchObject({ country: 'AU', operator: 'Telstra' });
});

test('each number in operation that the list has for several countries is decided, and no other', () => {
  const countries = new Map<string, Set<string>>();
  for (const { mcc, mnc, countryCode, status } of all()) {
    if (status !== 'Operational' || !mcc || !mnc || !/^\d{2,3}$/.test(mnc)) continue;
    const number = `${mcc}-${mnc}`;
    const known = countries.get(number) ?? new Set();
    for (const code of countryCode?.split('/') ?? []) known.add(code);
    countries.set(number, known);
  }
  const shared = [...countries].filter(([, codes]) => codes.size > 1);
  const undecided = shared.filter(
    ([number]) => !countryOfShared[number] && !countryOfShared[number.slice(0, 3)],
  );
  expect(undecided).toEqual([]);
  const decided = Object.entries(countryOfShared).map(([key, country]) => ({
    key,
    ofThese: shared.some(([number, codes]) => number.startsWith(key) && codes.has(country)),
  }));
  expect(decided.filter(({ ofThese }) => !ofThese)).toEqual([]);
});

test('international networks have no country, and invalid entries are skipped', () => {
  const rows = networkRows([
    listed({ mcc: '901', mnc: '28', countryCode: null }),
    listed({ mcc: '26' }),
    listed({ mnc: '1' }),
    listed({ mnc: null }),
    listed({ mnc: 'x2' }),
  ]);
  expect(rows.map(({ plmn, country }) => [plmn, country])).toEqual([[901_028, null]]);
});
