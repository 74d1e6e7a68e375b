import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import {
  HistoriesUnwritten,
  haveUnwritten,
  inRepeatableTransaction,
  readShards,
  sqlStateOf,
} from '../../../platform/db/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { correctCycle } from '../../bundle/index.ts';
import { writtenHistories } from '../histories/histories.queries.ts';
import { pauseCounting } from '../histories/histories.service.ts';
import { lockLiveUsage } from '../live-usage.queries.ts';
import { restateLiveUsage } from '../live-usage.service.ts';
import {
  allowLongStatements,
  compareOrgUsage,
  compareUsage,
  findOrganisationIds,
  listCycleSums,
  lockRepairs,
  repairOrgRollups,
  repairSimRollups,
  type UsageDifference,
} from './verify.queries.ts';
import {
  nameOf,
  type Part,
  type PooledCycle,
  sumOf,
  type VerifyOptions,
  type VerifyReport,
  verifyUsage,
} from './verify.service.ts';

/** SIMs in one transaction, during which intake of these SIMs waits. */
const simsPerTransaction = 50;

interface RepairOptions extends VerifyOptions {
  actor: Actor;
}

interface ClusterOptions extends RepairOptions {
  /** Whether records are on the nodes of a cluster. */
  isDistributed: boolean;
}

/**
 * Makes rollups and counters match the CDRs, in transactions of some SIMs, the differing weeks of a month, or a cycle of a
 * pool, while intake runs. Missing usage is added to rollups, so that concurrent usage is not lost; counters are
 * locked, and intake decides again afterwards. Each change is recorded in the audit trail of its organisation.
 * @returns as `verifyUsage`; `repaired` are SIMs, organisations and pools that were changed, `left` what still
 * differs then
 */
export const repairUsage = async (
  repairOptions: RepairOptions,
): Promise<VerifyReport & { repaired: number; left: number }> => {
  const isDistributed = (await readShards(repairOptions.pool, writtenHistories)) !== undefined;
  const options = { ...repairOptions, isDistributed };
  const repaired = new Set<string>();
  const recordRepaired = (differences: readonly UsageDifference[]): void => {
    for (const difference of differences) repaired.add(nameOf(difference));
  };
  const report = await verifyUsage(options, async (part) => {
    if ('poolId' in part) return recordRepaired(await repairPool(options, part));
    if (!('simIds' in part)) return recordRepaired(await repairOrgs(options, part));
    for (let at = 0; at < part.simIds.length; at += simsPerTransaction)
      recordRepaired(
        await repairSims(options, { ...part, simIds: part.simIds.slice(at, at + simsPerTransaction) }),
      );
  });
  const after = await verifyUsage({ ...options, onDifference: () => undefined });
  return { ...report, repaired: repaired.size, left: after.differing };
};

const repairSims = (
  options: ClusterOptions,
  { simIds, from }: Extract<Part, { simIds: unknown }>,
): Promise<UsageDifference[]> =>
  inRepeatableTransaction(options.pool, async (tx) => {
    await allowLongStatements(tx);
    await lockRepairs(tx);
    const differences = await compareUsage(tx, simIds, from);
    if (differences.length === 0) return [];
    await lockLiveUsage(tx, simIds);
    // Their records are still on the way to a node of a cluster; the next repair compares them.
    if (await haveUnwritten(tx, simIds)) return [];
    const cycles = await listCycleSums(tx, simIds, from);
    for (const { simId, began, missing } of cycles.filter(({ running }) => !running))
      await correctCycle(tx, { simId, startedAt: began, missing });
    const used = new Map(cycles.filter(({ running }) => running).map((cycle) => [cycle.simId, cycle.used]));
    if (used.size > 0) await restateLiveUsage(tx, used, options.now);
    await repairSimRollups(tx, simIds, from);
    await audit(tx, options, differences);
    return differences;
  });

const repairOrgs = (
  options: ClusterOptions,
  { weeks }: Extract<Part, { weeks: unknown }>,
): Promise<UsageDifference[]> =>
  repairSums(options, async (tx) => {
    const differences: UsageDifference[] = [];
    for (const week of weeks) {
      const found = await compareOrgUsage(tx, week);
      if (found.length > 0) await repairOrgRollups(tx, week);
      differences.push(...found);
    }
    const summed = sumOf(differences);
    await audit(tx, options, summed);
    return summed;
  });

const repairPool = (options: ClusterOptions, cycle: PooledCycle) =>
  repairSums(options, (tx) => options.pooledUsage.repair(tx, cycle, options));

/** SQLSTATE of a lock or statement that took too long. */
const timeouts = new Set<unknown>(['55P03', '57014']);

/**
 * Repairs sums of organisations or pools. On a cluster, these are written apart from the records, so nothing is counted
 * meanwhile. If that would make intake wait for too long, the part is left for the next repair.
 */
const repairSums = async (
  { pool, isDistributed }: ClusterOptions,
  work: (tx: pg.PoolClient) => Promise<UsageDifference[]>,
): Promise<UsageDifference[]> => {
  try {
    return await inRepeatableTransaction(pool, async (tx) => {
      await lockRepairs(tx);
      if (isDistributed) await pauseCounting(tx);
      else await allowLongStatements(tx);
      return work(tx);
    });
  } catch (error) {
    if (isDistributed && (error instanceof HistoriesUnwritten || timeouts.has(sqlStateOf(error)))) return [];
    throw error;
  }
};

/** One entry for each SIM or organisation; those of several organisations in the order of ids. */
const audit = async (
  tx: pg.PoolClient,
  { actor, now }: RepairOptions,
  differences: readonly UsageDifference[],
): Promise<void> => {
  const byName = groupBy(differences, ({ iccid, organisation }) => iccid ?? organisation ?? '');
  const orgIds = await findOrganisationIds(tx, {
    iccids: differences.flatMap(({ iccid }) => iccid ?? []),
    codes: differences.flatMap(({ organisation }) => organisation ?? []),
  });
  const entries = [...byName].map(([name, found]) => ({ name, found, orgId: orgIds.get(name) ?? 0 }));
  for (const { name, found, orgId } of entries.toSorted((a, b) => a.orgId - b.orgId)) {
    const month = found[0]?.month;
    const values = (pick: (difference: UsageDifference) => string) => ({
      ...(month && { month }),
      ...Object.fromEntries(found.map((difference) => [`${difference.what}_bytes`, pick(difference)])),
    });
    await recordAudit(tx, {
      orgId,
      actor,
      at: now,
      action: 'usage.repaired',
      subject: { kind: found[0]?.iccid ? 'sim' : 'organisation', id: name, name },
      before: values(({ storedBytes }) => storedBytes),
      after: values(({ recordedBytes }) => recordedBytes),
    });
  }
};
