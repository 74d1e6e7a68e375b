import {
  allows,
  limits,
  type PermissionKey,
  type PermissionMap,
  permissionsByRole,
  withChanges,
} from '@simcube/contract';
import type { MembershipInfo, SignInResponse } from '@simcube/contract/identity';
import { useSyncExternalStore } from 'react';
import { createListeners } from '../store/index.ts';
import { toast } from '../toast/index.ts';
import {
  type Entry,
  type EntryName,
  type EntryValue,
  entries,
  personalEntries,
  tabEntries,
} from './entries.ts';
import { dropKept, openStorage } from './storage.ts';

/** Incremented when the format of stored values changes; values of another version are dropped. */
const storageVersion = '1';
const versionName = 'storageVersion';

const storage = openStorage('localStorage');
const tabStorage = openStorage('sessionStorage');
const isOfTab = (name: EntryName): boolean => tabEntries.includes(name);
const storageOf = (name: EntryName) => (isOfTab(name) ? tabStorage : storage);
const { subscribe, notify } = createListeners();
const parsed = new Map<EntryName, { raw: string; value: unknown }>();

const get = <N extends EntryName>(name: N): EntryValue<N> | null => {
  const raw = storageOf(name).getItem(name);
  if (raw === null) return null;
  const cached = parsed.get(name);
  if (cached?.raw === raw) return cached.value as EntryValue<N> | null;
  const value = (entries[name] as unknown as Entry<EntryValue<N>>).read(raw);
  parsed.set(name, { raw, value });
  return value;
};

const set = <N extends EntryName>(name: N, value: EntryValue<N>): void => {
  try {
    storageOf(name).setItem(name, (entries[name] as unknown as Entry<EntryValue<N>>).write(value));
  } catch {
    // Full storage must not break the screen; the former value stays.
  }
  notify();
};

const remove = (...names: readonly EntryName[]): void => {
  for (const name of names) storageOf(name).removeItem(name);
  notify();
};

/** RFC 6750, 2.1 (`b64token` syntax). Any other value was not written by a sign-in. */
const tokenSyntax = /^[\w\-.~+/]+=*$/;

/** `invalid`: a stored value can't be a token (specification, *Route guard*). */
const tokenState = (): 'none' | 'invalid' | 'present' => {
  const raw = storage.getItem('token');
  if (raw === null || raw === '') return 'none';
  return tokenSyntax.test(raw) && raw !== 'undefined' && raw !== 'null' ? 'present' : 'invalid';
};

const memberships = (): readonly MembershipInfo[] => get('rolesInfo') ?? [];

/** The person's membership in the current organisation; null if none is chosen or the person is no longer a member. */
const currentMembership = (): MembershipInfo | null => {
  const code = get('partnerCode');
  return memberships().find((membership) => membership.code === code) ?? null;
};

/** What the person may do in the current organisation. */
const permissions = (): PermissionMap => {
  const current = currentMembership();
  if (!current) return {};
  return withChanges(get('permissionsInfo')?.[current.role] ?? {}, current.changes ?? {});
};

/** Stores the person's current organisations; a role that is new to them gets the contract's permissions. */
const setMemberships = (list: readonly MembershipInfo[]): void => {
  const ofRoles = list.map(({ role }) => [
    role,
    Object.fromEntries(Object.entries(permissionsByRole[role]).map(([key, granted]) => [key, [...granted]])),
  ]);
  set('rolesInfo', [...list]);
  set('permissionsInfo', { ...Object.fromEntries(ofRoles), ...get('permissionsInfo') });
};

/** Whether the current role has the action on the key. The server checks again on every call. */
const can = (key: PermissionKey, action: 'read' | 'operate' | 'write' = 'read'): boolean =>
  allows(permissions(), key, action);

/** A person may belong to more organisations than are stored: the chosen one is always among them. */
const chooseOrganisation = (organisation: MembershipInfo): void => {
  const stored = memberships();
  if (!stored.some(({ code }) => code === organisation.code))
    setMemberships([...stored.slice(0, limits.organisationsAtSignIn), organisation]);
  enter(organisation);
};

const enter = (organisation: { code: string; tenantId: string }): void => {
  // The previous organisation's pools do not apply to this one.
  remove('sharedPool');
  set('partnerCode', organisation.code);
  set('tenantId', organisation.tenantId);
};

const signIn = (response: SignInResponse): void => {
  const personBefore = get('userId');
  if (personBefore !== null && personBefore !== response.userId)
    remove(...personalEntries.filter((name) => !isOfTab(name)));
  claimTab(response.userId);
  set('token', response.token);
  set('userId', response.userId);
  set('username', response.username);
  set('userEmail', response.userEmail);
  set('loginsCount', response.loginsCount);
  set('lang', get('chosenLang') ?? response.lang);
  set('rolesInfo', response.rolesInfo);
  set('permissionsInfo', response.permissionsInfo);
  remove('partnerCode', 'tenantId');
  const previous = previousOrganisation(response);
  if (previous) {
    chooseOrganisation(previous);
  } else {
    if (response.partnerCode !== null && response.tenantId !== null) {
      enter({ code: response.partnerCode, tenantId: response.tenantId });
    }
    set('sharedPool', response.sharedPool);
  }
  set('dayOffset', response.dayOffset);
};

/** A person who returns to the page on which the session ended returns to its organisation, not to the default one. */
const previousOrganisation = ({
  userId,
  partnerCode,
  rolesInfo,
}: SignInResponse): MembershipInfo | undefined => {
  const previous = get('workedIn');
  if (get('redirectUrl') === null || previous?.userId !== userId || previous.code === partnerCode)
    return undefined;
  const listed = rolesInfo.find(({ code }) => code === previous.code);
  // Not among the first organisations: only a call tells whether the person still belongs to it.
  return listed ?? (rolesInfo.length < limits.organisationsAtSignIn ? undefined : previous.membership);
};

/** Stores the person and organisation of this tab, because the other entries are removed when the session ends, in whichever tab. */
const rememberOrganisation = (code: string): void => {
  const userId = get('userId');
  if (userId === null) return;
  claimTab(userId);
  const membership = memberships().find((one) => one.code === code);
  set('workedIn', { userId, code, ...(membership ? { membership } : {}) });
};

/** Removes what another person left in this tab: the address to return to, lists, followed tasks and messages. */
const claimTab = (userId: string): void => {
  const before = get('workedIn');
  if (before !== null && before.userId !== userId) emptyTab();
};

const emptyTab = (): void => {
  remove(...tabEntries);
  toast.dismissAll();
  dropKept();
};

/**
 * Removes personal data; language, time display and theme of this browser stay, and in this tab the person's lists, for their
 * return.
 */
const clear = (): void => {
  remove(...personalEntries);
};

/** Like `clear`, when the person ends the session: they do not return to this organisation or its lists. */
const leave = (): void => {
  clear();
  emptyTab();
};

/** Drops values of another version, and follows changes made in other tabs. Called once, at start. */
export const startSession = (): void => {
  if (storage.getItem(versionName) !== storageVersion) {
    if (storage.getItem(versionName) !== null) remove(...personalEntries);
    storage.setItem(versionName, storageVersion);
  }
  // Another tab may have ended the session, or begun one of another person, while this one was closed or reloading.
  const userId = get('userId');
  if (userId !== null) claimTab(userId);
  window.addEventListener('storage', notify);
};

export const session = {
  get,
  set,
  remove,
  clear,
  leave,
  signIn,
  tokenState,
  memberships,
  currentMembership,
  setMemberships,
  chooseOrganisation,
  rememberOrganisation,
  permissions,
  can,
  subscribe,
} as const;

/** One stored value, updated by changes in this tab and in others. */
export const useSession = <N extends EntryName>(name: N): EntryValue<N> | null =>
  useSyncExternalStore(subscribe, () => get(name));
