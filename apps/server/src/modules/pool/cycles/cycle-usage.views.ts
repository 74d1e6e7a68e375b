import type { Sql } from '../../../platform/db/index.ts';
import type { CycleFacts } from '../../price/index.ts';
import { networkUsage } from '../../usage/index.ts';
import { listPooledSpans } from './cycle.views.ts';

export type CycleUsage = Pick<CycleFacts, 'byCountry' | 'pooledByCountry'>;

/** A cycle whose usage is queried up to an instant: its end, or one within it. */
export interface UsedCycle {
  sim_id: number;
  /** End of the previous cycle; usage between the two cycles counts in this one. */
  former_end: Date | null;
  cycle_ends_at: Date;
  /** Whether the SIM has changed hands. */
  moved: boolean;
  /** Whether it is or was in a shared pool. */
  pooled: boolean;
}

export interface CycleToRead<Row extends UsedCycle> {
  row: Row;
  /** Whether its tariff may charge usage by zone. */
  zoned: boolean;
}

const noUsage: CycleUsage = { byCountry: [], pooledByCountry: [] };

/**
 * Usage of cycles by country, and the part of it that counts for shared pools. Cycles whose charges need neither are
 * not read.
 * @param findUsage where usage is read from: the rollups by default
 */
export const readCycleUsage = async <Row extends UsedCycle>(
  sql: Sql,
  orgId: number,
  requested: readonly CycleToRead<Row>[],
  findUsage: typeof networkUsage = networkUsage,
): Promise<(row: Row) => CycleUsage> => {
  const found = new Map<Row, CycleUsage>();
  for (const round of roundsOf(requested.filter(({ row, zoned }) => zoned || row.pooled))) {
    const zoned = round.filter((one) => one.zoned).map(({ row }) => row);
    const pooled = round.filter(({ row }) => row.pooled).map(({ row }) => row);
    const bytesOf = async (spans: Parameters<typeof networkUsage>[1], ownOf?: number) =>
      bySim(spans.length > 0 ? await findUsage(sql, spans, ownOf) : []);
    const all = await bytesOf(spansOf(zoned));
    const own = await bytesOf(spansOf(zoned.filter(({ moved }) => moved)), orgId);
    const inPools = await bytesOf(pooled.length > 0 ? await listPooledSpans(sql, spansOf(pooled)) : []);
    for (const { row } of round) {
      const ownBytes = new Map(own.get(row.sim_id)?.map(({ country, bytes }) => [country, bytes]));
      found.set(row, {
        byCountry: (all.get(row.sim_id) ?? []).map(({ country, bytes }) => ({
          country,
          bytes,
          ownBytes: row.moved ? (ownBytes.get(country) ?? 0n) : bytes,
        })),
        pooledByCountry: inPools.get(row.sim_id) ?? [],
      });
    }
  }
  return (row) => found.get(row) ?? noUsage;
};

/** Groups cycles so that each round has at most one per SIM: usage is returned by SIM. */
const roundsOf = <Row extends UsedCycle>(requested: readonly CycleToRead<Row>[]): CycleToRead<Row>[][] => {
  const rounds: CycleToRead<Row>[][] = [];
  const taken = new Map<number, number>();
  for (const one of requested) {
    const round = taken.get(one.row.sim_id) ?? 0;
    taken.set(one.row.sim_id, round + 1);
    const cycles = rounds[round];
    if (cycles) cycles.push(one);
    else rounds.push([one]);
  }
  return rounds;
};

const spansOf = (rows: readonly UsedCycle[]) =>
  rows.map((row) => ({ simId: row.sim_id, from: row.former_end, to: row.cycle_ends_at }));

const bySim = (
  found: Awaited<ReturnType<typeof networkUsage>>,
): Map<number, { country: string | null; bytes: bigint }[]> => {
  const usageOf = new Map<number, { country: string | null; bytes: bigint }[]>();
  for (const { simId, country, bytes } of found) {
    const usage = { country, bytes: BigInt(bytes) };
    const known = usageOf.get(simId);
    if (known) known.push(usage);
    else usageOf.set(simId, [usage]);
  }
  return usageOf;
};
