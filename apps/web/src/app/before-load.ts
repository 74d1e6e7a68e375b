import { defaultLanguage, type Language, type PermissionKey } from '@simcube/contract';
import { redirect } from '@tanstack/react-router';
import { addLaterPhrases } from '../lib/language/index.ts';
import { requireOrganisation, requirePermission, requireReports, requireSharedPool } from './guards.ts';
import { keptSearchOf } from './kept-search.ts';
import { supportedLanguage } from './languages.ts';

/** What routes check and fetch before they are entered. */

export const languageOf = (params: { lang: string }): Language =>
  supportedLanguage(params.lang) ?? defaultLanguage;

export const inOrganisation = (params: { lang: string }): void => requireOrganisation(languageOf(params));

/** For pages whose texts are fetched with them. */
export const withWords = (params: { lang: string }): Promise<void> => {
  inOrganisation(params);
  return addLaterPhrases(languageOf(params));
};

export const readIn = (permission: PermissionKey, params: { lang: string }): void => {
  inOrganisation(params);
  requirePermission(languageOf(params), permission);
};

export interface Entered {
  params: { lang: string };
  location: { pathname: string; searchStr: string };
  cause: 'preload' | 'enter' | 'stay';
}

export const inLater = (permission: PermissionKey, params: { lang: string }): Promise<void> => {
  readIn(permission, params);
  return addLaterPhrases(languageOf(params));
};

export const manageAccounts = (params: { lang: string }): Promise<void> => {
  inOrganisation(params);
  requirePermission(languageOf(params), 'account', 'write');
  return addLaterPhrases(languageOf(params));
};

export const inPools = async (params: { lang: string }): Promise<void> => {
  readIn('shared-pool-cube', params);
  await Promise.all([requireSharedPool(languageOf(params)), addLaterPhrases(languageOf(params))]);
};

export const inReports = (params: { lang: string }): Promise<void> => {
  inOrganisation(params);
  requireReports(languageOf(params));
  return addLaterPhrases(languageOf(params));
};

/** Returning to a kept list without filters in the URL restores the filters that it was left with. */
export const restoreKept = (path: string, { location, cause }: Entered): void => {
  const kept = keptSearchOf(path);
  if (cause === 'enter' && location.searchStr === '' && kept !== '') {
    throw redirect({ href: location.pathname + kept, replace: true });
  }
};
