import { addToPools } from '../modules/pool/index.ts';
import { importCdrs } from '../modules/usage/index.ts';
import type { Clock } from '../platform/clock/index.ts';
import type { Database } from '../platform/db/index.ts';
import type { TestSim } from './bundles.ts';
import { sessionUpdate, storeUpdate, type testIntake } from './session-updates.ts';
import { sourceOf } from './usage-records.ts';

interface UsageWorld {
  database: Pick<Database, 'pool'>;
  intake: Awaited<ReturnType<typeof testIntake>>;
  clock: Clock;
}

let session = 0;

/** The two ways in which usage of this many octets arrives: one session of accounting, one line of a file. */
export const usageSources = (world: () => UsageWorld) => ({
  accounting: async ({ imsi }: TestSim, ended: Date, up: number) => {
    session += 1;
    const facts = { status: 'stop' as const, sessionKey: session, up };
    await storeUpdate(world().intake, sessionUpdate({ imsi, at: ended.getTime() }, facts));
  },
  'a file': async ({ iccid }: TestSim, ended: Date, up: number) => {
    session += 1;
    const text = `iccid,record_id,ended_at,up_bytes,down_bytes\n${iccid},R${session},${ended.toISOString()},${up},0\n`;
    const { database, clock } = world();
    await importCdrs({ countForPools: addToPools, pool: database.pool, clock, source: sourceOf(text) });
  },
});
