import { endpoints, limits } from '@simcube/contract';
import { call } from '../api-client/index.ts';
import { session } from '../session/index.ts';

/**
 * What the person may do in the current organisation as of now, and its shared pools: an admin changed it, or the
 * operator made a pool. No longer being a member is handled like any call's.
 */
export const refreshPermissions = (): Promise<void> => {
  // One after the other: an answer that was overtaken must not bring back what is no longer so.
  const run = lastRefresh.then(readPermissions);
  lastRefresh = run.catch(() => undefined);
  return run;
};

let lastRefresh: Promise<void> = Promise.resolve();

const readPermissions = async (): Promise<void> => {
  const current = session.currentMembership();
  if (!current) return;
  const { data } = await call(endpoints.account.refreshPermissions, { announce: false });
  const { role, changes, sharedPool } = data;
  session.setMemberships(
    session.memberships().map((one) => (one.code === current.code ? { ...one, role, changes } : one)),
  );
  // Another organisation was chosen meanwhile, in this tab or another one.
  if (session.get('partnerCode') !== current.code) return;
  if (sharedPool.join() !== session.get('sharedPool')?.join()) session.set('sharedPool', sharedPool);
};

/**
 * Reads the person's organisations again and keeps them for switcher, menu and guards: after an invitation was
 * accepted or an organisation made, renamed or left. A failure leaves what was known; the next sign-in brings the rest.
 */
export const readMemberships = async (): Promise<void> => {
  const known = session.memberships();
  const { data } = await call(endpoints.org.listMine, {
    query: { page_no: 1, page_size: limits.page.sizes[3] },
    announce: false,
  });
  session.setMemberships(
    data.map(({ code, name, role, tenantId, logo, default: preset }) => {
      const changes = known.find((one) => one.code === code && one.role === role)?.changes;
      return { code, name, role, tenantId, logo, default: preset, ...(changes ? { changes } : {}) };
    }),
  );
};
