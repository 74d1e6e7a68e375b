import { endpoints, limits } from '@simcube/contract';
import type { MembershipInfo } from '@simcube/contract/identity';
import type { Organisation } from '@simcube/contract/org';
import { call } from '../api-client/index.ts';
import { session } from '../session/index.ts';

/**
 * Refreshes the person's permissions in the current organisation and its shared pools, after an admin changed them or the
 * operator created a pool. A person who is no longer a member is handled as in any call.
 */
export const refreshPermissions = (): Promise<void> => inTurn(readPermissions);

/** Sequential: a response that was overtaken must not restore an outdated state. */
const inTurn = (read: () => Promise<void>): Promise<void> => {
  const run = lastRead.then(read);
  lastRead = run.catch(() => undefined);
  return run;
};

let lastRead: Promise<void> = Promise.resolve();

/** Meanwhile the person may have signed out, or another one in, also in another tab: their session must not get the response. */
const sessionCheck = (): (() => boolean) => {
  const token = session.get('token');
  return () => session.get('token') === token;
};

const readPermissions = async (): Promise<void> => {
  const current = session.currentMembership();
  if (!current) return;
  const isSameSession = sessionCheck();
  const { data } = await call(endpoints.account.refreshPermissions, { announce: false });
  if (!isSameSession()) return;
  const { role, changes, sharedPool } = data;
  session.setMemberships(
    session.memberships().map((one) => (one.code === current.code ? { ...one, role, changes } : one)),
  );
  // Another organisation was chosen in the meantime, in this tab or another.
  if (session.get('partnerCode') !== current.code) return;
  if (sharedPool.join() !== session.get('sharedPool')?.join()) session.set('sharedPool', sharedPool);
};

/**
 * Reads the person's organisations again and stores them for switcher, menu and guards: when the console starts, after an
 * invitation was accepted, or an organisation was created, renamed or left. If it fails, the previous list stays.
 */
export const readMemberships = (): Promise<void> => inTurn(readList);

const readList = async (): Promise<void> => {
  const isSameSession = sessionCheck();
  const { listed, totalCount } = await listMemberships();
  if (!isSameSession()) return;
  // The current one may be beyond the page.
  const current = session.currentMembership();
  const isBeyond = current !== null && !listed.some(({ code }) => code === current.code);
  const isPartial = listed.length < (totalCount ?? 0);
  session.setMemberships(isBeyond && isPartial ? [...listed, current] : listed);
};

/** The person's membership in one organisation, which may be beyond those that are stored; undefined if there is none. */
export const findMembership = async (code: string): Promise<MembershipInfo | undefined> => {
  const { listed } = await listMemberships(code);
  return listed.find((one) => one.code === code);
};

const listMemberships = async (search?: string) => {
  const known = session.memberships();
  const { data, totalCount } = await call(endpoints.org.listMine, {
    query: { page_no: 1, page_size: limits.organisationsAtSignIn, search },
    announce: false,
  });
  return { listed: data.map((one) => membershipOf(one, known)), totalCount };
};

/** With the changes of permissions that are known, which the list does not contain. */
const membershipOf = (
  { code, name, role, tenantId, logo, default: isDefault }: Organisation,
  known: readonly MembershipInfo[],
): MembershipInfo => {
  const changes = known.find((one) => one.code === code && one.role === role)?.changes;
  return { code, name, role, tenantId, logo, default: isDefault, ...(changes ? { changes } : {}) };
};
