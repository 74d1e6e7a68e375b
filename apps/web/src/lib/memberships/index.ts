import { endpoints, limits } from '@simcube/contract';
import { call } from '../api-client/index.ts';
import { session } from '../session/index.ts';

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
