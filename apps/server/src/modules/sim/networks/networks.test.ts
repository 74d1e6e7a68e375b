import { expect, test } from 'vitest';
import { networkRows } from './networks.queries.ts';

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
