import { defaultLanguage, type Language, type PermissionKey } from '@simcube/contract';
import { redirect } from '@tanstack/react-router';
import { addDeferredPhrases } from '../lib/language/index.ts';
import { requireOrganisation, requirePermission, requireReports, requireSharedPool } from './guards.ts';
import { supportedLanguage } from './languages.ts';
import { rememberedSearch } from './remembered-search.ts';

/** What routes check and fetch before they are entered. */

export const languageOf = (params: { lang: string }): Language =>
  supportedLanguage(params.lang) ?? defaultLanguage;

export const enterOrganisation = (params: { lang: string }): void => requireOrganisation(languageOf(params));

/** For pages whose texts are fetched with them. */
export const loadTexts = (params: { lang: string }): Promise<void> => {
  enterOrganisation(params);
  return addDeferredPhrases(languageOf(params));
};

export const enterWithPermission = (permission: PermissionKey, params: { lang: string }): void => {
  enterOrganisation(params);
  requirePermission(languageOf(params), permission);
};

export interface BeforeLoadContext {
  params: { lang: string };
  location: { pathname: string; searchStr: string };
  cause: 'preload' | 'enter' | 'stay';
}

export const enterWithPermissionAndTexts = (
  permission: PermissionKey,
  params: { lang: string },
): Promise<void> => {
  enterWithPermission(permission, params);
  return addDeferredPhrases(languageOf(params));
};

export const enterAccountManagement = (params: { lang: string }): Promise<void> => {
  enterOrganisation(params);
  requirePermission(languageOf(params), 'account', 'write');
  return addDeferredPhrases(languageOf(params));
};

export const enterPools = async (params: { lang: string }): Promise<void> => {
  enterWithPermission('shared-pool-cube', params);
  await Promise.all([requireSharedPool(languageOf(params)), addDeferredPhrases(languageOf(params))]);
};

export const enterReports = (params: { lang: string }): Promise<void> => {
  enterOrganisation(params);
  requireReports(languageOf(params));
  return addDeferredPhrases(languageOf(params));
};

/** Returning to a kept list without filters in the URL restores the filters that it was left with. */
export const restoreSearch = (path: string, { location, cause }: BeforeLoadContext): void => {
  const search = rememberedSearch(path);
  if (cause === 'enter' && location.searchStr === '' && search !== '') {
    throw redirect({ href: location.pathname + search, replace: true });
  }
};
