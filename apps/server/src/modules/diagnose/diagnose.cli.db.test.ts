import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOrganisation, type TestApp, testApp } from '../../testing/app.ts';
import { commandLine } from '../../testing/command-line.ts';
import { makeSim } from '../../testing/inventory.ts';

let test: TestApp;
let simcube: ReturnType<typeof commandLine>;

beforeAll(async () => {
  test = await testApp();
  simcube = commandLine(test, '/nonexistent');
});
afterAll(() => test.close());

it('diagnose explains why a SIM of any organisation has no data, and what to do', async () => {
  await makeOrganisation(test, { code: 'operator' });
  const org = await makeOrganisation(test, { code: 'acme', parentCode: 'operator' });
  const { iccid } = await makeSim(test.database.pool, org.id, { lifecycle: 'paused' });
  const { out } = await simcube.run(['diagnose', iccid]);
  expect(out).toMatch(/^bad {6}lifecycle {7}\S.*\n {25}\S/m);
  const { out: json } = await simcube.run(['diagnose', iccid, '--json']);
  expect(JSON.parse(json)).toMatchObject({ iccid, overall: 'bad' });
  expect((await simcube.run(['diagnose', '8934071234567890999'])).errors).toContain(
    'There is no SIM 8934071234567890999',
  );
});
