import { type EndpointShape, endpoints, headers, type Role } from '@simcube/contract';
import { simItems } from '../../modules/sim/index.ts';
import { insertUpload, type UploadKind } from '../../modules/sim/uploads/uploads.queries.ts';
import { startWork } from '../../modules/task/index.ts';
import { endTask } from '../../modules/task/task.service.ts';
import { inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient } from '../app.ts';
import { makeBundle, makeSim } from '../inventory.ts';

/** Fields that name something of an organisation or of a person. A new one must be added here, or the test fails. */
export const thingNames = [
  'iccid',
  'selection',
  'file',
  'userId',
  'partnerCode',
  'orgCode',
  'code',
  'orgId',
  'targetCode',
  'target_code',
  'invitationId',
  'sessionId',
  'linkId',
  'shareId',
  'groupId',
  'upload_id',
  'orderId',
  'bundleCode',
  'viewId',
  'taskReference',
  headers.oneTimeToken,
] as const;
export type Thing = (typeof thingNames)[number];
type Own = (client: TestClient, endpoint: EndpointShape) => unknown;
/** What such a field is filled with. Own things that a call uses up are created again each time. */
export type Things = Record<Thing, { own: Own; foreign: unknown }>;

/** Fields that look like names of things but are none, with the reason. */
export const noThings: Readonly<Record<string, string>> = {
  'identity.signIn code': 'a one-time code',
  'identity.signInInvited code': 'a one-time code',
  'identity.confirmTwoFactor code': 'a one-time code',
  'identity.disableTwoFactor code': 'a one-time code',
  'identity.renewRecoveryCodes code': 'a one-time code',
  'identity.signInInvited token': 'a secret that was mailed',
  'identity.resetPassword token': 'a secret that was mailed',
  'identity.readInvitation token': 'a secret that was mailed',
  'identity.acceptInvitation token': 'a secret that was mailed',
  'account.changePermission key': 'a key of the permissions, which all organisations share',
  'account.removePermission key': 'a key of the permissions, which all organisations share',
  'audit.list actor_id': 'a filter, which finds nothing of others',
  'audit.export actor_id': 'a filter, which finds nothing of others',
  'sim.transferTemplate format': 'a file format',
  'sim.uploadInfoTemplate format': 'a file format',
  'sim.readIdentifiers file': 'only its cells are read; they are looked up by another call',
};

export const foreignIccid = '89860099900000000001';
export const foreignImsi = '460009990000001';

type Org = Awaited<ReturnType<typeof makeOrganisation>>;
export interface House {
  own: Org;
  foreign: Org;
  clients: ReadonlyMap<Role, TestClient>;
  things: Things;
}

interface Sides {
  test: TestApp;
  own: Org;
  foreign: Org;
  /** Another organisation in which everybody is an admin: SIMs may be transferred there. */
  beside: Org;
  clients: readonly TestClient[];
  /** Makes what all of the organisation have in common. */
  superadmin: TestClient;
  /** Superadmin of the foreign organisation. */
  stranger: TestClient;
  /** One SIM each that lives through everything. */
  sims: Record<'own' | 'foreign', { id: number; iccid: string }>;
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

const thingsOf = async (sides: Sides): Promise<Things> => {
  const { test, own, foreign, beside, stranger, sims } = sides;
  const byCode = { own: () => own.code, foreign: foreign.code };
  const target = { own: () => beside.code, foreign: foreign.code };
  const orders = await ordersOf(sides);
  const tasks = await tasksOf(sides);
  return {
    iccid: { own: () => sims.own.iccid, foreign: foreignIccid },
    selection: {
      own: async (_, endpoint) => ({ iccids: [await freshSim(sides, endpoint)] }),
      foreign: { iccids: [foreignIccid] },
    },
    file: {
      own: async (_, endpoint) => csvOf(await freshSim(sides, endpoint)),
      foreign: csvOf(foreignIccid),
    },
    userId: { own: (client) => client.userId, foreign: stranger.userId },
    partnerCode: byCode,
    orgCode: byCode,
    code: byCode,
    orgId: { own: () => String(own.id), foreign: String(foreign.id) },
    targetCode: target,
    target_code: target,
    invitationId: await invitationsOf(sides),
    sessionId: { own: () => 'others', foreign: await sessionOf(test, stranger) },
    linkId: await linksOf(sides),
    shareId: await sharesOf(sides),
    groupId: await groupsOf(sides),
    upload_id: {
      own: (client, endpoint) => uploadOf(sides, client, endpoint),
      foreign: await uploadOf(sides, stranger, endpoints.sim.transfer),
    },
    ...orders,
    viewId: { own: (client) => viewOf(client), foreign: await viewOf(stranger) },
    ...tasks,
  };
};

/** SIMs of one's own that an operation can work on: another one each time, since work on one waits for its end. */
const freshSim = async ({ test, own }: Sides, { id }: EndpointShape): Promise<string> => {
  const lifecycles = new Map([
    ['bundle.activate', 'pre-activated'],
    ['bundle.previewActivation', 'pre-activated'],
    ['sim.resume', 'paused'],
  ] as const);
  const lifecycle = [...lifecycles].find(([call]) => call === id)?.[1] ?? 'active';
  return (await makeSim(test.database.pool, own.id, { lifecycle })).iccid;
};

const csvOf = (iccid: string): string => `ICCID,Notes\r\n${iccid},a note\r\n`;

/** A file that was read before, the person's own. */
const uploadOf = async (sides: Sides, client: TestClient, endpoint: EndpointShape): Promise<string> => {
  const { test, beside, stranger } = sides;
  const kind: UploadKind = endpoint.id === 'sim.updateInfo' ? 'info' : 'transfer';
  const iccid = client === stranger ? foreignIccid : await freshSim(sides, endpoint);
  const at = test.clock.now();
  return insertUpload(test.database.pool, {
    orgId: client.orgId,
    userId: client.userId,
    kind,
    name: 'sims.csv',
    rows: [kind === 'info' ? [iccid, { notes: 'a note' }, []] : [iccid, null]],
    facts: kind === 'info' ? {} : { target: beside.code },
    at,
    expiresAt: new Date(at.getTime() + 3_600_000),
  });
};

/** An open invitation of the client's organisation to each of its people, to an address that nobody has. */
const invitationsOf = async ({ clients, superadmin, stranger }: Sides): Promise<Things['invitationId']> => {
  const invitedBy = async (client: TestClient, name: string): Promise<string> => {
    const body = { email: `invited-${name}@example.test`, role: 'user', language: 'en-US' } as const;
    return (await client.call(endpoints.identity.invite, { body })).body.data.id;
  };
  const own = new Map<string, string>();
  for (const { userId } of clients) own.set(userId, await invitedBy(superadmin, userId));
  return { own: ({ userId }) => own.get(userId), foreign: await invitedBy(stranger, stranger.userId) };
};

/** Reports that were shared: whoever has the id may read them. */
const linksOf = async ({ superadmin, stranger, sims }: Sides): Promise<Things['linkId']> => {
  const linkOf = async (by: TestClient, iccid: string) =>
    (await by.call(endpoints.diagnose.share, { body: { iccid } })).body.data.id;
  const own = await linkOf(superadmin, sims.own.iccid);
  return { own: () => own, foreign: await linkOf(stranger, foreignIccid) };
};

/** The same as those who may withdraw them know them. */
const sharesOf = async ({ superadmin, stranger, sims }: Sides): Promise<Things['shareId']> => {
  const shareOf = async (by: TestClient, iccid: string) => {
    await by.call(endpoints.diagnose.share, { body: { iccid } });
    return (await by.call(endpoints.diagnose.listLinks, { query: { iccid } })).body.data[0]?.id;
  };
  return {
    own: () => shareOf(superadmin, sims.own.iccid),
    foreign: await shareOf(stranger, foreignIccid),
  };
};

/** Address groups: those of phones are others than those of people. */
const groupsOf = async ({ superadmin, stranger }: Sides): Promise<Things['groupId']> => {
  const people = { name: 'People', emails: ['people@example.test'] };
  const phones = { name: 'Phones', phones: ['4915112345678'] };
  const own = {
    people: (await superadmin.call(endpoints.notify.createGroup, { body: people })).body.data.id,
    phones: (await superadmin.call(endpoints.notify.createSmsGroup, { body: phones })).body.data.id,
  };
  const foreign = (await stranger.call(endpoints.notify.createGroup, { body: people })).body.data.id;
  return { own: (_, { id }) => (id === 'notify.updateSmsGroup' ? own.phones : own.people), foreign };
};

/** A pending order of each SIM; the bundle of the foreign one is none of one's own. */
const ordersOf = async ({
  test,
  own,
  foreign,
  sims,
}: Sides): Promise<Pick<Things, 'orderId' | 'bundleCode'>> => {
  const { pool } = test.database;
  const orderOf = async (code: string, { simId, orgId }: { simId: number; orgId: number }) => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status, ordered_at)
       values ($1, $2, $3, 'pending', '2026-11-01') returning id::text`,
      [simId, orgId, await makeBundle(pool, { code })],
    );
    return rows[0]?.id;
  };
  const ownOrder = await orderOf('own-bundle', { simId: sims.own.id, orgId: own.id });
  const foreignOrder = await orderOf('foreign-bundle', { simId: sims.foreign.id, orgId: foreign.id });
  return {
    orderId: { own: () => ownOrder, foreign: foreignOrder },
    bundleCode: { own: () => 'own-bundle', foreign: 'foreign-bundle' },
  };
};

let views = 0;
const viewOf = async (client: TestClient): Promise<string> => {
  views += 1;
  const body = { name: `View ${views}`, filter: {} };
  return (await client.call(endpoints.sim.saveView, { body })).body.data.id;
};

/** A task that each person began and that has ended, with its report; and the token that stands for a sign-in. */
const tasksOf = async ({
  test,
  clients,
  stranger,
  sims,
}: Sides): Promise<Pick<Things, 'taskReference' | typeof headers.oneTimeToken>> => {
  const references = new Map<string, string>();
  for (const client of [...clients, stranger]) {
    const { id, iccid } = client === stranger ? sims.foreign : sims.own;
    references.set(client.userId, await endedTask(test, client, { id, iccid }));
  }
  const tokenOf = async (client: TestClient): Promise<string> => {
    const query = { taskReference: references.get(client.userId) ?? '' };
    return (await client.call(endpoints.task.makeDownloadToken, { query })).body.data.token;
  };
  return {
    taskReference: { own: ({ userId }) => references.get(userId), foreign: references.get(stranger.userId) },
    [headers.oneTimeToken]: { own: tokenOf, foreign: await tokenOf(stranger) },
  };
};

const endedTask = (
  test: TestApp,
  { orgId, userId }: TestClient,
  { id, iccid }: { id: number; iccid: string },
): Promise<string> =>
  inTransaction(test.database.pool, async (tx) => {
    const at = test.clock.now();
    const { reference_id: reference } = await startWork(tx, {
      orgId,
      userId,
      actor: { kind: 'person', id: null, name: 'A', address: null, traceId: null, action: undefined },
      type: 'sim-suspend',
      remark: null,
      parameters: {},
      at,
      kind: simItems,
      // Nothing waits: other orders for the SIM are taken.
      items: [{ ref: id, label: iccid, refused: 'CB-01-0015' }],
      busy: 'CB-01-0009',
    });
    await endTask(tx, { id: Number(reference.slice(1)), status: 'issues', result: null, at });
    return reference;
  });

const sessionOf = async ({ database }: TestApp, { userId }: TestClient): Promise<string> => {
  const { rows } = await database.pool.query('select id from user_sessions where user_id = $1', [userId]);
  return rows[0].id;
};
