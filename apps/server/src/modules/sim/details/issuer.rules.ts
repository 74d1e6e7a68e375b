import { countries } from 'countries-list';

/** For calling codes that several countries share: the country that runs the numbering plan (ITU-T E.164). */
const mainCountries: Readonly<Record<string, string>> = {
  '1': 'US',
  '7': 'RU',
  '39': 'IT',
  '44': 'GB',
  '47': 'NO',
  '61': 'AU',
  '64': 'NZ',
  '212': 'MA',
  '262': 'RE',
  '290': 'SH',
  '358': 'FI',
  '500': 'FK',
  '590': 'GP',
  '599': 'CW',
  '672': 'NF',
};

/**
 * Calling codes have at most three digits, and none is a prefix of another; longer ones are areas within a
 * shared code.
 */
const countryByCode = new Map<string, string | null>();
for (const [country, { phone }] of Object.entries(countries)) {
  for (const number of phone) {
    const code = String(number);
    if (code.length > 3) continue;
    countryByCode.set(code, countryByCode.has(code) ? (mainCountries[code] ?? null) : country);
  }
}
for (const [code, country] of Object.entries(mainCountries)) countryByCode.set(code, country);

/**
 * The country of the card's issuer (ITU-T E.118: 89 for telecommunications, then the country code). Null if the
 * number identifies none: international codes such as 883 belong to no country. One-digit codes may also be
 * written with a leading zero.
 */
export const issuerCountry = (iccid: string): string | null => {
  const [, code = ''] = /^890?(\d{3})/.exec(iccid) ?? [];
  for (const length of [1, 2, 3]) {
    const country = countryByCode.get(code.slice(0, length));
    if (country !== undefined) return country;
  }
  return null;
};
