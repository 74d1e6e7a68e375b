import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Database, inTransaction } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { radiusInventory } from '../../../testing/radius.ts';
import { lockLive, moveSims } from '../../sim/transfer/transfer.queries.ts';
import { reportRefusals, resetRefusals } from '../access/refusal-events.service.ts';
import { closeSilentSessions } from './close-sessions.service.ts';
import { findOwnSights } from './transfer.queries.ts';

const noon = new Date('2026-11-21T12:00:00Z');
let database: Database;

beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const query = async (text: string, values: unknown[] = []) => (await database.pool.query(text, values)).rows;

/** A SIM with an open session that is then transferred to another organisation. */
const handedOver = async () => {
  const { ids, orgId: from } = await radiusInventory(database, 1);
  const [simId = 0] = ids;
  const [{ id: to }] = await query(
    `insert into organisations (code, name, country) values ('to-' || $1, 'To ' || $1, 'DE') returning id`,
    [simId],
  );
  await query(
    `insert into radius_sessions (sim_id, session_key, org_id, client_id, nas, gateway_address, acct_session_id, started_at,
       updated_at, up_bytes, down_bytes, imei)
     values ($1, 1, $2, 0, 'gw', '10.9.9.9', 'S-1', '2026-11-20T10:00:00Z', '2026-11-20T11:00:00Z', 3, 4, '490154203237518')`,
    [simId, from],
  );
  await query(
    `update sim_live set connection = 1, last_seen_at = $2, last_session_at = $2, imei = '490154203237518', plmn = 262002
     where sim_id = $1`,
    [simId, noon],
  );
  await query(`update sims set last_imei = '490154203237518', imei_changed_at = $2 where id = $1`, [
    simId,
    noon,
  ]);
  return { simId, from, to };
};

const moveTo = async (simId: number, to: number) => {
  const [{ from }] = await query('select org_id as from from sims where id = $1', [simId]);
  const simIds = [simId];
  await inTransaction(database.pool, async (tx) => {
    await lockLive(tx, simIds);
    const sights = await findOwnSights(tx, { simIds, orgId: to });
    await moveSims(tx, { simIds, from, to, at: new Date('2026-11-22T12:00:00Z') }, sights);
    await resetRefusals(tx, { simIds });
  });
};
const sight = async (simId: number) =>
  (
    await query(
      `select l.connection, l.last_session_at, l.plmn, l.imei, s.last_imei, s.imei_changed_at
       from sim_live l join sims s on s.id = l.sim_id where s.id = $1`,
      [simId],
    )
  )[0];

describe('a transferred SIM', () => {
  it('has not been seen by its new organisation, and regains its former state when it returns', async () => {
    const { simId, from, to } = await handedOver();
    await moveTo(simId, to);
    expect(await sight(simId)).toEqual({
      connection: 0,
      last_session_at: null,
      plmn: null,
      imei: null,
      last_imei: null,
      imei_changed_at: null,
    });
    await moveTo(simId, from);
    expect(await sight(simId)).toMatchObject({
      connection: 1,
      last_session_at: new Date('2026-11-20T10:00:00Z'),
      last_imei: '490154203237518',
      imei_changed_at: null,
    });
  });

  const changesTold = (orgId: number) =>
    query(
      `select c ->> 'status' as status, c -> 'isNew' as "isNew", c -> 'kinds' as kinds
       from outbox cross join jsonb_array_elements(payload -> 'changes') as c
       where topic = 'aaa.session-changed' and org_id = $1`,
      [orgId],
    );

  it('reports the end of a session to the organisation in which it began, and remains unseen', async () => {
    const { simId, from, to } = await handedOver();
    await moveTo(simId, to);
    await closeSilentSessions(database.pool, noon);
    const ends = await query(
      `select org_id, facts ->> 'session' as session from sim_events where sim_id = $1`,
      [simId],
    );
    expect(ends).toEqual([{ org_id: from, session: 'S-1' }]);
    expect(await sight(simId)).toMatchObject({ connection: 0 });
    expect(await changesTold(to)).toEqual([]);
  });

  it('is offline for its new organisation when a session that it saw go on is closed', async () => {
    const { simId, to } = await handedOver();
    await moveTo(simId, to);
    await query('update sim_live set connection = 1, last_seen_at = $2 where sim_id = $1', [simId, noon]);
    await closeSilentSessions(database.pool, noon);
    expect(await sight(simId)).toMatchObject({ connection: 3 });
    expect(await changesTold(to)).toEqual([{ status: 'offline', isNew: true, kinds: [] }]);
  });

  it('is reported as rejected again', async () => {
    const { simId, from, to } = await handedOver();
    const reportRejection = () =>
      inTransaction(database.pool, (tx) =>
        reportRefusals(tx, [{ simId, reason: 'paused', apn: null, plmn: null }], noon),
      );
    await reportRejection();
    await moveTo(simId, to);
    await reportRejection();
    const owners = await query(
      `select org_id from sim_events where sim_id = $1 and kind = 'rejected' order by id`,
      [simId],
    );
    expect(owners).toEqual([{ org_id: from }, { org_id: to }]);
  });
});
