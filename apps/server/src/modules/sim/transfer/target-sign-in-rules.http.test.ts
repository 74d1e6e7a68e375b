import { endpoints } from '@simcube/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeSim } from '../../../testing/inventory.ts';
import { upload } from '../../../testing/upload.ts';

const { sim } = endpoints;

let test: TestApp;
let admin: TestClient;
let branchId: number;
let iccid: string;

beforeAll(async () => {
  test = await testApp();
  const acme = await makeOrganisation(test, { code: 'acme' });
  const branch = await makeOrganisation(test, { code: 'branch' });
  branchId = branch.id;
  admin = await signedInAs(test, 'admin', acme);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: branchId,
    role: 'admin',
    oversight: false,
  });
  iccid = (await makeSim(test.database.pool, acme.id)).iccid;
});
afterAll(() => test.close());

const setRules = (rules: { twoFactor: boolean; networks: string[] }) =>
  test.database.pool.query(
    'update organisations set two_factor_required = $2, allowed_networks = $3 where id = $1',
    [branchId, rules.twoFactor, rules.networks],
  );
const body = () => ({ target_code: 'branch', selection: { iccids: [iccid] }, preview: true });

it.each([
  ['two-factor authentication', { twoFactor: true, networks: [] }, 'CB-07-0036'],
  ['a network', { twoFactor: false, networks: ['203.0.113.0/24'] }, 'CB-07-0037'],
])('a transfer is refused if the target requires %s that the call lacks', async (_, rules, code) => {
  await setRules(rules);
  expect((await admin.call(sim.transfer, { body: body() })).body.status.code).toBe(code);
  const parsed = await upload(test, admin, {
    endpoint: sim.parseTransfer,
    params: { targetCode: 'branch' },
    name: 'move.csv',
    content: `ICCID\n${iccid}\n`,
  });
  expect(parsed.body.status.code).toBe(code);
});

it('a transfer is accepted if the call meets the sign-in rules of the target', async () => {
  await setRules({ twoFactor: false, networks: ['127.0.0.0/8', '::1'] });
  expect((await admin.call(sim.transfer, { body: body() })).body.data?.preview?.changing).toBe(1);
});
