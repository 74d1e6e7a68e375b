import type { Caller } from '@simcube/contract/developer';
import type { OrgContext, Principal } from '../../../platform/access/index.ts';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Db } from '../../../platform/db/index.ts';

/** Who calls. */
export const readCaller = async (
  db: Db,
  {
    org: { id, tenantId, code, role, permissions },
    principal: { userId, key },
  }: { org: OrgContext; principal: Principal },
): Promise<Caller> => {
  const { name } = await db
    .selectFrom('organisations')
    .select('name')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return {
    account_id: userId,
    organisation: { tenant_id: tenantId, code, name },
    role,
    permissions: Object.fromEntries(Object.entries(permissions).map(([of, actions]) => [of, [...actions]])),
    key: key ? { id: key.id, name: key.name, expires_at: key.expiresAt?.toISOString() ?? null } : null,
    day_offset: dashboardDays.offsetMinutes / 60,
  };
};
