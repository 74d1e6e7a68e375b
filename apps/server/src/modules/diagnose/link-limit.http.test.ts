import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import { waitForBlockedStatements } from '../../testing/locks.ts';

/** The maximum number of links to reports per organisation. */

const calls = endpoints.diagnose;
let test: TestApp;
let own: Awaited<ReturnType<typeof makeOrganisation>>;
let person: TestClient;
let sim: { id: number; iccid: string };

const query = (text: string, values: unknown[] = []) => test.database.pool.query(text, values);

beforeAll(async () => {
  test = await testApp();
  own = await makeOrganisation(test, { code: 'own' });
  person = await signedInAs(test, 'admin', own);
  sim = await makeSim(test.database.pool, own.id);
});
afterAll(() => test.close());

it('is limited in number', async () => {
  await query(
    `insert into diagnose_links (id_hash, org_id, sim_id, report, made_at, expires_at)
     select int8send(n), $1, $2, '{}', '2026-11-21', '2026-11-22' from generate_series(1, $3) n`,
    [person.orgId, sim.id, limits.diagnoseLinks],
  );
  const { http, body } = await person.call(calls.share, { body: { iccid: sim.iccid } });
  expect([http, body.status.code]).toEqual([409, 'CB-01-0033']);
  expect(body.status.message).toContain('at most 1000 links');
  const listed = await person.call(calls.listLinks, { query: { iccid: sim.iccid } });
  expect(listed.body.data).toHaveLength(limits.diagnoseLinks);
  // Withdrawn ones no longer count.
  await query(
    `update diagnose_links set withdrawn_at = '2026-11-21' where id_hash in (select int8send(n) from generate_series(1, 10) n)`,
  );
  expect((await person.call(calls.share, { body: { iccid: sim.iccid } })).http).toBe(200);
});

it('is shared only once by several people at a time if only one more link is allowed', async () => {
  await query('delete from diagnose_links');
  await query(
    `insert into diagnose_links (id_hash, org_id, sim_id, report, made_at, expires_at)
     select int8send(n), $1, $2, '{}', '2026-11-21', '2026-11-22' from generate_series(1, $3) n`,
    [person.orgId, sim.id, limits.diagnoseLinks - 1],
  );
  const people = await Promise.all([1, 2, 3].map(() => signedInAs(test, 'admin', own)));
  const other = await test.database.pool.connect();
  await other.query('begin');
  await other.query('lock table diagnose_links in share mode');
  const answering = people.map((client) => client.call(calls.share, { body: { iccid: sim.iccid } }));
  await waitForBlockedStatements(test.database.pool, people.length);
  await other.query('commit');
  other.release();
  const answers = await Promise.all(answering);
  expect(answers.map(({ http }) => http).toSorted((a, b) => a - b)).toEqual([200, 409, 409]);
});
