import type { BillPoolCycle } from '@simcube/contract/finance';
import type { Sql } from '../../../platform/db/index.ts';
import { type BilledPoolCycle, listChargedCycles } from '../../pool/index.ts';
import { findVersions, poolUsageOf, toPoolUsage } from '../../price/index.ts';
import { poolUsageFacts } from '../charges/pool-lines.views.ts';

interface LineColumns {
  pool_id: number;
  cycle_at: Date;
  org_id: number;
  tariff_id: number;
  tariff_starts_on: string;
}

export interface PoolOfLine {
  cycle: BilledPoolCycle;
  /** The organisation of the line's section. */
  orgId: number;
  /** The tariff version that the line is charged by. */
  tariff: { id: number; startsOn: string };
}

/** The pool's cycle of a bill's line, as known now; undefined for lines of other kinds. */
export const findPoolOfLine = async (
  sql: Sql,
  { billId, line }: { billId: number; line: number },
): Promise<PoolOfLine | undefined> => {
  const { rows } = await sql.query<LineColumns>(
    `select n.pool_id, n.pool_cycle_at as cycle_at, n.org_id, n.tariff_starts_on::text,
       (select t.id from tariffs t where t.code = n.tariff_code) as tariff_id
     from bill_lines n where n.bill_id = $1 and n.line = $2 and n.pool_id is not null`,
    [billId, line],
  );
  const [row] = rows;
  if (!row) return undefined;
  const { org_id: orgId, pool_id: id, cycle_at: at } = row;
  const cycles = await listChargedCycles(sql, { orgId, from: at, until: new Date(at.getTime() + 1) });
  const cycle = cycles.find((one) => one.id === id);
  return cycle && { cycle, orgId, tariff: { id: row.tariff_id, startsOn: row.tariff_starts_on } };
};

/** The usage of the pool's SIMs in the cycle, and the part charged beyond its limit. */
export const readPoolCycle = async (
  sql: Sql,
  { cycle, orgId, tariff }: PoolOfLine,
): Promise<BillPoolCycle | null> => {
  const days = [tariff.startsOn];
  const version = (await findVersions(sql, { orgId, days, tariffId: tariff.id })).get(tariff.startsOn);
  if (!version) return null;
  return {
    started_at: cycle.startedAt.toISOString(),
    ends_at: cycle.endsAt.toISOString(),
    ...toPoolUsage(poolUsageOf(version, await poolUsageFacts(sql, version, cycle))),
  };
};
