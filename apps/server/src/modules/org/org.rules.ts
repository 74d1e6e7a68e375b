import { limits } from '@simcube/contract';

/** Codes stand in addresses, headers and file names: letters, digits and hyphens. */
const codeForm = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?$/;
const tenantIdForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

const regions = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });

export interface OrganisationFacts {
  code: string;
  name: string;
  country: string;
}

/** What is wrong with a new organisation, in words for the operator; nothing when it may be made. */
export const problemsOf = ({ code, name, country }: OrganisationFacts): string[] => [
  ...(codeForm.test(code) ? [] : ['The code must be 1-40 letters, digits and hyphens']),
  ...(name.length >= limits.organisationName.min && name.length <= limits.organisationName.max
    ? []
    : [`The name must have ${limits.organisationName.min}-${limits.organisationName.max} characters`]),
  ...(isCountry(country) ? [] : ['The country must be a two-letter code of ISO 3166']),
];

/** Two letters that stand for a country or territory; ZZ is "unknown". */
export const isCountry = (code: string): boolean =>
  /^[A-Z]{2}$/.test(code) && code !== 'ZZ' && regions.of(code) !== undefined;

/** What can't be a tenant id is not asked of the database, which would refuse it as an error. */
export const isTenantId = (text: string): boolean => tenantIdForm.test(text);
