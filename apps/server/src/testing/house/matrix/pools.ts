import type { TestApp } from '../../app.ts';
import { makePool, orderShared, type TestPool } from '../../pools.ts';
import type { References, Sides } from './references.ts';

/** A pool of each side that SIMs are enrolled in manually, with the event of its setup. */
export const poolReferences = async ({
  test,
  own,
  foreign,
}: Sides): Promise<Pick<References, 'poolId' | 'poolEventId'>> => {
  const ownId = (await poolOf(test, own)).id;
  const foreignId = (await poolOf(test, foreign)).id;
  const eventOf = async (poolId: number) =>
    (
      await test.database.pool.query<{ id: string }>(
        'select id::text from pool_events where pool_id = $1 order by id limit 1',
        [poolId],
      )
    ).rows[0]?.id;
  const [ownEvent, foreignEvent] = [await eventOf(ownId), await eventOf(foreignId)];
  return {
    poolId: { own: () => String(ownId), foreign: String(foreignId) },
    poolEventId: { own: () => ownEvent, foreign: foreignEvent },
  };
};

/** The same one each time. */
const poolOf = ({ database, clock }: TestApp, org: { id: number }): Promise<TestPool> =>
  makePool(database.pool, org.id, { now: clock.now() });

/** Gives a SIM an order of the pool's bundle; a member also joins the pool. */
export const orderSharedBundle = async (
  test: TestApp,
  org: { id: number },
  sim: { id: number; iccid: string },
  isMember: boolean,
): Promise<void> => {
  const pool = await poolOf(test, org);
  const now = test.clock.now();
  await orderShared(test.database.pool, pool, [sim.iccid], now);
  if (isMember) await pool.enrol([sim.id], now);
};
