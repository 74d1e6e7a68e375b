import type { Role } from '@simcube/contract';
import { makeOrganisation, signedInAs, type TestApp, type TestClient } from '../../app.ts';
import { makeSim } from '../../inventory.ts';
import { makeReports } from '../../reports.ts';
import { autoflowReferences } from './autoflow.ts';
import { billReferences } from './bills.ts';
import { bundleReferences } from './bundles.ts';
import { cdrReferences } from './cdrs.ts';
import { developerReferences } from './developers.ts';
import { diagnoseReferences } from './diagnose.ts';
import { identityReferences } from './identity.ts';
import { notifyReferences } from './notify.ts';
import { orgReferences } from './orgs.ts';
import { poolReferences } from './pools.ts';
import type { References, Sides } from './references.ts';
import { scheduleReferences } from './schedules.ts';
import { foreignIccid, foreignImsi, simReferences } from './sims.ts';
import { taskReferences } from './tasks.ts';
import { webhookReferences } from './webhooks.ts';

export { nonReferences, type ReferenceField, type References, referenceFields } from './references.ts';
export { foreignIccid, foreignImsi } from './sims.ts';

type Org = Awaited<ReturnType<typeof makeOrganisation>>;
export interface MatrixFixture {
  own: Org;
  foreign: Org;
  clients: ReadonlyMap<Role, TestClient>;
  things: References;
}

/** Two organisations with one of everything, and a person of each role in the first. */
export const makeMatrixFixture = async (test: TestApp, roles: readonly Role[]): Promise<MatrixFixture> => {
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
  return { own, foreign, clients, things: await referencesOf(sides) };
};

/** The things of each module. */
const referencesOf = async (sides: Sides): Promise<References> => ({
  ...(await simReferences(sides)),
  ...(await identityReferences(sides)),
  ...orgReferences(sides),
  ...(await diagnoseReferences(sides)),
  ...(await developerReferences(sides)),
  ...(await notifyReferences(sides)),
  ...(await webhookReferences(sides)),
  ...(await scheduleReferences(sides)),
  ...(await bundleReferences(sides)),
  ...(await billReferences(sides)),
  ...(await poolReferences(sides)),
  ...(await taskReferences(sides)),
  ...(await cdrReferences(sides)),
  ...(await autoflowReferences(sides)),
});
