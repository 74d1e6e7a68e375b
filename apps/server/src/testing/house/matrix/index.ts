import type { Role } from '@simcube/contract';
import { makeOrganisation, signedInAs, type TestApp, type TestClient } from '../../app.ts';
import { makeSim } from '../../inventory.ts';
import { makeReports } from '../../reports.ts';
import { autoflowThings } from './autoflow.ts';
import { billThings } from './bills.ts';
import { bundleThings } from './bundles.ts';
import { cdrThings } from './cdrs.ts';
import { developerThings } from './developers.ts';
import { diagnoseThings } from './diagnose.ts';
import { identityThings } from './identity.ts';
import { notifyThings } from './notify.ts';
import { orgThings } from './orgs.ts';
import { poolThings } from './pools.ts';
import { scheduleThings } from './schedules.ts';
import { foreignIccid, foreignImsi, simThings } from './sims.ts';
import { taskThings } from './tasks.ts';
import type { Sides, Things } from './things.ts';
import { webhookThings } from './webhooks.ts';

export { foreignIccid, foreignImsi } from './sims.ts';
export { noThings, type Thing, type Things, thingNames } from './things.ts';

type Org = Awaited<ReturnType<typeof makeOrganisation>>;
export interface House {
  own: Org;
  foreign: Org;
  clients: ReadonlyMap<Role, TestClient>;
  things: Things;
}

/** Two organisations with one of everything, and a person of each role in the first. */
export const makeHouse = async (test: TestApp, roles: readonly Role[]): Promise<House> => {
  const operator = await makeOrganisation(test, { code: 'the-operator' });
  const own = await makeOrganisation(test, { code: 'own-organisation', parentCode: operator.code });
  const foreign = await makeOrganisation(test, { code: 'foreign-organisation', parentCode: operator.code });
  const { pool } = test.database;
  const sims = {
    own: await makeSim(pool, own.id, {}),
    foreign: await makeSim(pool, foreign.id, { iccid: foreignIccid, imsi: foreignImsi }),
  };
  await makeReports(pool, { orgId: own.id, kinds: ['inventory', 'sms'] });
  const clients = new Map<Role, TestClient>();
  for (const role of roles) clients.set(role, await signedInAs(test, role, own));
  const beside = await makeOrganisation(test, { code: 'beside-organisation', parentCode: own.code });
  for (const { userId } of clients.values()) {
    const membership = { userId, orgId: beside.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(pool, membership);
  }
  const superadmin = clients.get('superadmin');
  if (!superadmin) throw new Error('Nobody is superadmin');
  const stranger = await signedInAs(test, 'superadmin', foreign);
  const sides = { test, own, foreign, beside, clients: [...clients.values()], superadmin, stranger, sims };
  return { own, foreign, clients, things: await thingsOf(sides) };
};

/** The things of each module. */
const thingsOf = async (sides: Sides): Promise<Things> => ({
  ...(await simThings(sides)),
  ...(await identityThings(sides)),
  ...orgThings(sides),
  ...(await diagnoseThings(sides)),
  ...(await developerThings(sides)),
  ...(await notifyThings(sides)),
  ...(await webhookThings(sides)),
  ...(await scheduleThings(sides)),
  ...(await bundleThings(sides)),
  ...(await billThings(sides)),
  ...(await poolThings(sides)),
  ...(await taskThings(sides)),
  ...(await cdrThings(sides)),
  ...(await autoflowThings(sides)),
});
