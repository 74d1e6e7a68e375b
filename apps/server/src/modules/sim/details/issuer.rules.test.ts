import { expect, it } from 'vitest';
import { issuerCountry } from './issuer.rules.ts';

it.each([
  ['8986012300000000001', 'CN'],
  ['8949012300000000001', 'DE'],
  ['89490200001234567890', 'DE'],
  ['8944110012345678901', 'GB'],
  ['8931440300000000001', 'NL'],
  ['8934010000000000001', 'ES'],
  ['89852000000000000001', 'HK'],
  ['89886000000000000001', 'TW'],
  ['89358000000000000001', 'FI'],
  ['8939100000000000001', 'IT'],
  // One digit, also with a zero before it.
  ['8914104000000000001', 'US'],
  ['8901410432000000001', 'US'],
  ['8970101000000000001', 'RU'],
  // International networks belong to no country; other industries have other numbers.
  ['89883000000000000001', null],
  ['1186012300000000001', null],
  ['1189490200000000001', null],
  ['89', null],
])('%s was issued in %s', (iccid, country) => {
  expect(issuerCountry(iccid)).toBe(country);
});
