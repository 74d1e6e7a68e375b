import { allEndpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import { type TestApp, testApp } from '../app.ts';
import { callEndpoint, type ValueOf } from './call-endpoint.ts';
import { makeMatrixFixture } from './matrix/index.ts';
import { findUnserved, type WatchedStatements, watchStatements } from './unserved-statements.ts';
import { wholeReads } from './whole-reads.ts';

/** Every call and every scheduled job, once: an index finds what they read, however much there is. */

let test: TestApp;
let statements: WatchedStatements;

beforeAll(async () => {
  test = await testApp();
  const house = await makeMatrixFixture(test, ['superadmin']);
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  statements = watchStatements();
  const superadmin = house.clients.get('superadmin');
  if (!superadmin) throw new Error('Nobody is superadmin');
  for (const endpoint of allEndpoints) {
    if (endpoint.id === 'identity.signOut') continue;
    const value: ValueOf = (field) => house.things[field].own(superadmin, endpoint);
    await callEndpoint(test, endpoint, { headers: superadmin.headers, value });
  }
  const log = createLog({ level: 'silent', format: 'json' });
  for (const { job, handle } of test.wiring.jobs) {
    if (job.cron === undefined) continue;
    await handle({}, { signal: new AbortController().signal, log, attempt: 1 });
  }
  statements.stop();
});
afterAll(() => test.close());

it('every statement uses an index to read growing tables', async () => {
  expect(statements.statements.size).toBeGreaterThan(200);
  const unserved = await findUnserved(test.database.pool, statements.statements);
  const known = ({ text }: { text: string }) => wholeReads.some(({ begins }) => text.startsWith(begins));
  expect(unserved.filter((one) => !known(one))).toEqual([]);
});
