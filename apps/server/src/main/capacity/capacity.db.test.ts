import { hourMs } from '@simcube/contract/time';
import { expect, inject, it } from 'vitest';
import { addToPools } from '../../modules/pool/index.ts';
import { importCdrs } from '../../modules/usage/index.ts';
import { FixedClock } from '../../platform/clock/index.ts';
import { ensurePartitions } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { makeSim } from '../../testing/inventory.ts';
import { readTableBytes } from '../../testing/table-bytes.ts';
import { fileOf, sourceOf, type UsageRecord, type UsageSim } from '../../testing/usage-records.ts';
import { tableMargin } from './capacity.costs.ts';
import { bytesOfTables } from './capacity.rules.ts';

const reporting = 300;
const hours = 72;
const now = new Date('2026-11-21T12:00:00.000Z');

/** The costs are those of one server: the size of small shards is mostly the minimum of each. */
const isOneServer = inject('databaseServers').length === 1;

it.runIf(isOneServer)('the size of CDRs and hours matches the estimate within the margin', async () => {
  const { pool, close } = await testDatabase();
  try {
    const from = new Date(now.getTime() - hours * hourMs);
    await ensurePartitions(pool, from, now);
    const { rows } = await pool.query<{ id: number }>(
      `insert into organisations (code, name, country) values ('acme', 'Acme', 'DE') returning id`,
    );
    const orgId = rows[0]?.id ?? 0;
    const sims: UsageSim[] = [];
    for (let i = 0; i < reporting; i += 1) {
      const msisdn = `4915${String(i).padStart(9, '0')}`;
      sims.push({ ...(await makeSim(pool, orgId, { msisdn })), orgId, msisdn });
    }
    const source = sourceOf(fileOf(hourly(sims, from)));
    const { accepted } = await importCdrs({
      countForPools: addToPools,
      pool,
      clock: new FixedClock(now.toISOString()),
      source,
    });
    expect(accepted).toBe(reporting * hours);
    await pool.query('analyze');
    const taken = await readTableBytes(pool);
    // The last hour of each SIM is still open and has no row yet.
    const stored = {
      SIM: 0,
      CDR: accepted,
      hour: reporting * (hours - 1),
      day: 0,
      session: 0,
      'session with CDRs': 0,
    };
    const calculated = new Map(bytesOfTables(stored).map(({ table, bytes }) => [table, bytes]));
    for (const table of ['cdrs', 'usage_hourly']) {
      const ratio = (taken.get(table) ?? 0) / (calculated.get(table) ?? 0);
      expect(Math.abs(ratio - 1), `${table}: ${ratio}`).toBeLessThanOrEqual(tableMargin);
    }
  } finally {
    await close();
  }
});

/** One record an hour for each SIM, hour by hour, as in operation. */
const hourly = (sims: readonly UsageSim[], from: Date): UsageRecord[] =>
  Array.from({ length: hours }, (_, hour) =>
    sims.map((sim, index) => ({
      sim,
      id: `${hour}-${index}`,
      endedAt: from.getTime() + hour * hourMs + index * 10_000,
      up: 1_000 + index,
      down: 5_000 + hour,
      mnc: 1,
      radio: 3,
    })),
  ).flat();
