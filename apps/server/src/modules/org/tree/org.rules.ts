import { defaultLanguage } from '@simcube/contract';
import { organisationNameSchema } from '@simcube/contract/org';
import { issueSentences } from '@simcube/phrases';
import { isCountry } from './countries.rules.ts';

/** Codes are used in URLs, headers and file names: letters, digits and hyphens. */
const codePattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,38}[A-Za-z0-9])?$/;
const tenantIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

export interface OrganisationFacts {
  code: string;
  name: string;
  country: string;
}

/** The problems of a new organisation, in words for the operator; empty if it is valid. */
export const problemsOf = ({ code, name, country }: OrganisationFacts): string[] => [
  ...(codePattern.test(code) ? [] : ['The code must be 1-40 letters, digits and hyphens']),
  ...issueSentences(defaultLanguage, organisationNameSchema.safeParse(name).error?.issues ?? [], 'name'),
  ...(isCountry(country) ? [] : ['The country must be a two-letter code of ISO 3166']),
];

/**
 * Whether a text has the form of a tenant id; others are not looked up, because the database would reject them
 * with an error.
 */
export const isTenantId = (text: string): boolean => tenantIdPattern.test(text);
