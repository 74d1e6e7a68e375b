import { defaultLanguage, type Language, languages } from '@simcube/contract';
import { accountNameSchema } from '@simcube/contract/identity';
import { issueSentences } from '@simcube/phrases';
import { z } from 'zod';

/** Addresses are compared case-insensitively, in the database too (`lower(email)`). */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

const emailSchema = z.email().max(254);

export const isEmail = (email: string): boolean => emailSchema.safeParse(email).success;

export interface PersonFacts {
  email: string;
  firstName: string;
  lastName: string;
}

/** The problems of a new person's data, in words for the operator; empty if it is valid. */
export const problemsOf = ({ email, firstName, lastName }: PersonFacts): string[] => [
  ...(isEmail(email) ? [] : ['This is no email address']),
  ...Object.entries({ 'first name': firstName, 'last name': lastName }).flatMap(([label, name]) =>
    issueSentences(defaultLanguage, accountNameSchema.safeParse(name).error?.issues ?? [], label),
  ),
];

/** A stored locale that is no longer offered falls back to the default. */
export const languageOf = (locale: string): Language =>
  languages.find((language) => language === locale) ?? defaultLanguage;

export const nameOf = ({ firstName, lastName }: Omit<PersonFacts, 'email'>): string =>
  `${firstName} ${lastName}`.trim();
