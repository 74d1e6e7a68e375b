import { hourMs } from '@simcube/contract/time';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { findPoolOfSim, listMemberSpans } from '../../pool/index.ts';
import {
  findVersions,
  type MemberSpan,
  mayChargeZones,
  poolUsageOf,
  readZonedUsage,
} from '../../price/index.ts';
import { networkUsage } from '../../usage/index.ts';

/**
 * Whether usage is charged for the pool that a SIM was in at an instant: the pool's policy lets usage continue, and by
 * the end of that hour it had used more than its limit, without what its members are charged for by zone. Null if the
 * SIM was in none of the organisation's pools.
 */
export const readPoolCharging = async (
  sql: Sql,
  member: { orgId: number; simId: number; at: Date },
): Promise<{ isCharged: boolean } | null> => {
  const cycle = await findPoolOfSim(sql, member);
  if (!cycle) return null;
  const { id, bundle, policy, startedAt, used, limit } = cycle;
  if (policy !== 'no limit' || used <= limit) return { isCharged: false };
  const endsAt = new Date((Math.floor(member.at.getTime() / hourMs) + 1) * hourMs);
  const spans = mayChargeZones(bundle) ? await listMemberSpans(sql, id, { startedAt, endsAt }) : [];
  const dayOf = ({ cycleStartedAt }: MemberSpan) => dashboardDays.dayOf(cycleStartedAt);
  const versions = await findVersions(sql, { orgId: member.orgId, days: spans.map(dayOf) });
  const zonedBytes = await readZonedUsage(sql, {
    spans,
    bundle,
    networkUsage,
    versionOf: (span) => versions.get(dayOf(span)),
  });
  const { beyondBytes } = poolUsageOf({ usedBytes: BigInt(used), limitBytes: BigInt(limit), zonedBytes });
  return { isCharged: beyondBytes > 0n };
};
