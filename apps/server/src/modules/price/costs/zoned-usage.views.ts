import { groupBy } from '../../../platform/collections/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import { type Coverage, chargesZones, type TariffVersion, zonedBytes } from '../price.rules.ts';

/** A SIM's cycle whose usage is needed by network. */
export interface UsageSpan {
  simId: number;
  /** From the end of the previous cycle, because usage in between counts in this one; null from the beginning. */
  from: Date | null;
  to: Date;
}

/** Usage of cycles by network, all or only an organisation's own part; provided by the higher module `usage`. */
export type FindNetworkUsage = (
  sql: Sql,
  spans: readonly UsageSpan[],
  ownOf?: number,
) => Promise<{ simId: number; country: string | null; bytes: number }[]>;

/** Usage of a SIM that counted for a pool, within one of the SIM's cycles. */
export interface MemberSpan {
  simId: number;
  from: Date;
  to: Date;
  /** The SIM's cycle: it may begin in another tariff version than the pool's. */
  cycleStartedAt: Date;
  cycleEndsAt: Date;
}

/** The part of a pool's usage that its members' cycles are charged for by zone. */
export const readZonedUsage = async (
  sql: Sql,
  {
    spans,
    bundle,
    versionOf,
    networkUsage,
  }: {
    spans: readonly MemberSpan[];
    bundle: Coverage;
    versionOf: (span: MemberSpan) => TariffVersion | undefined;
    networkUsage: FindNetworkUsage;
  },
): Promise<bigint> => {
  let bytes = 0n;
  for (const [version, own] of groupBy(spans, versionOf)) {
    if (!version || !chargesZones(version, bundle)) continue;
    const usage = await networkUsage(sql, joined(own));
    bytes += zonedBytes(
      version,
      bundle,
      usage.map((one) => ({ country: one.country, bytes: BigInt(one.bytes) })),
    );
  }
  return bytes;
};

/** Spans of a SIM that follow one another as one: whole days in it are read from sums of days. */
const joined = (spans: readonly MemberSpan[]): Pick<MemberSpan, 'simId' | 'from' | 'to'>[] => {
  const result: Pick<MemberSpan, 'simId' | 'from' | 'to'>[] = [];
  for (const { simId, from, to } of spans) {
    const last = result.at(-1);
    if (last?.simId === simId && last.to.getTime() === from.getTime()) last.to = to;
    else result.push({ simId, from, to });
  }
  return result;
};
