import type { AddressInfo } from 'node:net';
import {
  allEndpoints,
  allows,
  type EndpointShape,
  type Envelope,
  endpoints,
  permissionsByRole,
  type Role,
  roles,
} from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../app.ts';
import { makeSim } from '../inventory.ts';

/**
 * Every call as every role: in the own organisation, without a session, in the name of another organisation, and
 * asking for something that another organisation has. What must come of it follows from the endpoint record alone.
 */

type Org = Awaited<ReturnType<typeof makeOrganisation>>;
type Verdict = 'allowed' | 401 | 403 | 404;

let test: TestApp;
let url: string;
let own: Org;
let foreign: Org;
const clients = new Map<Role, TestClient>();
/** Fields that name something of an organisation. A new one must be added here, or the test fails. */
const thingNames = [
  'iccid',
  'userId',
  'partnerCode',
  'orgCode',
  'code',
  'orgId',
  'invitationId',
  'sessionId',
  'linkId',
  'groupId',
] as const;
type Thing = (typeof thingNames)[number];
/** What such a field is filled with. */
let things: Record<Thing, { own: (client: TestClient, endpoint: EndpointShape) => string; foreign: string }>;

/** Fields that look like names of things but are none: one-time codes, permission keys, and filters that find nothing. */
const noThings = new Set([
  'identity.signIn code',
  'identity.signInInvited code',
  'identity.confirmTwoFactor code',
  'identity.disableTwoFactor code',
  'identity.renewRecoveryCodes code',
  'account.changePermission key',
  'account.removePermission key',
  'audit.list actor_id',
  'audit.export actor_id',
]);
/** Calls after which the caller has no session any more. */
const lastCalls = new Set(['identity.signOut']);

const foreignIccid = '89860099900000000001';
const foreignImsi = '460009990000001';
const matrix = new Map<string, Record<string, string>>();

beforeAll(async () => {
  test = await testApp();
  const operator = await makeOrganisation(test, { code: 'the-operator' });
  own = await makeOrganisation(test, { code: 'own-organisation', parentCode: operator.code });
  foreign = await makeOrganisation(test, { code: 'foreign-organisation', parentCode: operator.code });
  const sims = {
    own: await makeSim(test.database.pool, own.id, {}),
    foreign: await makeSim(test.database.pool, foreign.id, { iccid: foreignIccid, imsi: foreignImsi }),
  };
  for (const role of roles) clients.set(role, await signedInAs(test, role, own));
  const stranger = await signedInAs(test, 'superadmin', foreign);
  const invitations = new Map<string, string>();
  for (const client of clients.values()) {
    invitations.set(client.userId, await invitedBy(clientOf('superadmin'), client.userId));
  }
  things = {
    iccid: { own: () => sims.own.iccid, foreign: foreignIccid },
    userId: { own: (client) => client.userId, foreign: stranger.userId },
    partnerCode: { own: () => own.code, foreign: foreign.code },
    orgCode: { own: () => own.code, foreign: foreign.code },
    code: { own: () => own.code, foreign: foreign.code },
    orgId: { own: () => String(own.id), foreign: String(foreign.id) },
    invitationId: {
      own: (client) => invitations.get(client.userId) ?? '',
      foreign: await invitedBy(stranger, stranger.userId),
    },
    sessionId: { own: () => 'others', foreign: await sessionOf(stranger) },
    linkId: await linksOf(clientOf('superadmin'), stranger, { own: sims.own.iccid, foreign: foreignIccid }),
    groupId: await groupsOf(clientOf('superadmin'), stranger),
  };
  await test.app.listen({ host: '127.0.0.1', port: 0 });
  url = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`;
});

afterAll(async () => {
  printMatrix();
  await test.close();
});

/** An open invitation of the client's organisation, to an address that nobody has. */
const invitedBy = async (client: TestClient, name: string): Promise<string> => {
  const body = { email: `invited-${name}@example.test`, role: 'user', language: 'en-US' } as const;
  const answer = await client.call(endpoints.identity.invite, { body });
  return answer.body.data.id;
};

/** Reports that were shared: whoever has the id may read them. */
const linksOf = async (
  client: TestClient,
  stranger: TestClient,
  iccids: { own: string; foreign: string },
): Promise<{ own: () => string; foreign: string }> => {
  const linkOf = async (by: TestClient, iccid: string) =>
    (await by.call(endpoints.sim.shareDiagnose, { body: { iccid } })).body.data.id;
  const own = await linkOf(client, iccids.own);
  return { own: () => own, foreign: await linkOf(stranger, iccids.foreign) };
};

/** Address groups: those of phones are others than those of people. */
const groupsOf = async (
  client: TestClient,
  stranger: TestClient,
): Promise<{ own: (client: TestClient, endpoint: EndpointShape) => string; foreign: string }> => {
  const people = { name: 'People', emails: ['people@example.test'] };
  const phones = { name: 'Phones', phones: ['4915112345678'] };
  const own = {
    people: (await client.call(endpoints.task.createGroup, { body: people })).body.data.id,
    phones: (await client.call(endpoints.task.createSmsGroup, { body: phones })).body.data.id,
  };
  const foreign = (await stranger.call(endpoints.task.createGroup, { body: people })).body.data.id;
  return { own: (_, { id }) => (id === 'task.updateSmsGroup' ? own.phones : own.people), foreign };
};

const sessionOf = async ({ userId }: TestClient): Promise<string> => {
  const { rows } = await test.database.pool.query('select id from user_sessions where user_id = $1', [
    userId,
  ]);
  return rows[0].id;
};

const clientOf = (role: Role): TestClient => {
  const client = clients.get(role);
  if (!client) throw new Error(`Nobody is ${role}`);
  return client;
};

const shapeOf = (schema: z.ZodType | undefined): Record<string, z.ZodType> =>
  schema instanceof z.ZodObject ? (schema.shape as Record<string, z.ZodType>) : {};

const partsOf = ({ params, query, body }: EndpointShape) => ({
  params: shapeOf(params),
  query: shapeOf(query),
  body: shapeOf(body),
});

const fieldsOf = (endpoint: EndpointShape): string[] => Object.values(partsOf(endpoint)).flatMap(Object.keys);
const isThing = ({ id }: EndpointShape, field: string): field is Thing =>
  thingNames.some((name) => name === field) && !noThings.has(`${id} ${field}`);

/** Something valid for fields that name nothing. */
const samples: unknown[] = [
  '24h',
  'day',
  '2026-11-01',
  '2026-11-01T00:00:00Z',
  1,
  true,
  'text',
  [],
  {},
  'user',
  'en-US',
  'disabled',
  'sim',
  ['sim'],
  'DE',
  '123456',
  'Cube-2026!',
  'somebody@example.test',
  'a token of nobody, long enough for one',
  { kind: 'inherit' },
  ['somebody@example.test'],
  ['4915112345678'],
];

type ValueOf = (field: Thing, endpoint: EndpointShape) => string;

const filled = (
  endpoint: EndpointShape,
  part: 'params' | 'query' | 'body',
  value: ValueOf,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(partsOf(endpoint)[part]).flatMap(([field, schema]) => {
      if (isThing(endpoint, field)) return [[field, value(field, endpoint)]];
      if (schema.safeParse(undefined).success) return [];
      return [[field, samples.find((sample) => schema.safeParse(sample).success)]];
    }),
  );

interface Asked {
  http: number;
  text: string;
  envelope: Envelope<unknown> | undefined;
}

const ask = async (
  endpoint: EndpointShape,
  { headers, value }: { headers: Record<string, string>; value: ValueOf },
): Promise<Asked> => {
  const params = filled(endpoint, 'params', value);
  const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]));
  const query = new URLSearchParams(filled(endpoint, 'query', value) as Record<string, string>);
  const gone = new AbortController();
  const answer = await fetch(`${url}${path}?${query}`, {
    method: endpoint.method,
    headers: { ...headers, ...(endpoint.body && { 'content-type': 'application/json' }) },
    signal: gone.signal,
    ...(endpoint.body && { body: JSON.stringify(filled(endpoint, 'body', value)) }),
  });
  if (answer.headers.get('content-type')?.startsWith('text/event-stream')) {
    gone.abort();
    return { http: answer.status, text: '', envelope: undefined };
  }
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return {
    http: answer.status,
    text,
    envelope: isJson ? (JSON.parse(text) as Envelope<unknown>) : undefined,
  };
};

/**
 * A refusal for a reason of the call's own (a missing password, one's own account) is still an admittance; a missing
 * right is told by the common code, or by the one that the record names for it.
 */
const verdictOf = (endpoint: EndpointShape, { http, envelope }: Asked): Verdict | string => {
  if (http === 401 || http === 404) return http;
  const code = envelope?.status.code;
  const { access } = endpoint;
  const refused = access.kind === 'permission' ? access.refused : undefined;
  if (code === (refused ?? 'CB-00-0403') || code === 'CB-07-0008') return 403;
  const ownReason = endpoint.errors.some((one) => one === code);
  return http === 200 || ownReason ? 'allowed' : `${http} ${code}`;
};

const isAllowed = ({ access }: EndpointShape, role: Role): boolean =>
  access.kind !== 'permission' || allows(permissionsByRole[role], access.key, access.action);

const note = (endpoint: EndpointShape, column: string, verdict: string | number): void => {
  matrix.set(endpoint.id, { ...matrix.get(endpoint.id), [column]: String(verdict) });
};

const printMatrix = (): void => {
  const columns = [...roles, 'no session', 'other org', 'no org', "other's"];
  const width = Math.max(...[...matrix.keys()].map((id) => id.length)) + 2;
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => cell.padEnd(i === 0 ? width : 12)).join('');
  console.info(
    [
      line(['', ...columns]),
      ...[...matrix].map(([id, row]) => line([id, ...columns.map((column) => row[column] ?? '-')])),
    ].join('\n'),
  );
};

const needsSession = allEndpoints.filter(({ access }) => access.kind !== 'public');
const needsOrganisation = needsSession.filter(
  ({ access }) => access.kind === 'permission' || (access.kind === 'signed-in' && access.member),
);
const asksForThing = needsSession.filter((endpoint) =>
  fieldsOf(endpoint).some((field) => isThing(endpoint, field)),
);
const ownThing =
  (client: TestClient): ValueOf =>
  (field, endpoint) =>
    things[field].own(client, endpoint);
const foreignThing = (field: Thing) => things[field].foreign;

it('every field that names a thing is known to this test', () => {
  const looksLikeThing =
    /(^|_)(id|ids|iccids?|imsis?|msisdns?|eids?|code|codes|user|org|pool|account)$|(Id|Ids|Code|Codes)$/;
  const unknown = allEndpoints.flatMap((endpoint) => {
    const named = new Set([
      ...Object.keys(shapeOf(endpoint.params)),
      ...fieldsOf(endpoint).filter((field) => looksLikeThing.test(field)),
    ]);
    return [...named]
      .filter((field) => !isThing(endpoint, field) && !noThings.has(`${endpoint.id} ${field}`))
      .map((field) => `${endpoint.id} ${field}`);
  });
  expect(unknown).toEqual([]);
});

describe.each(roles)('a %s', (role) => {
  it.each(allEndpoints)('calls $id as its record says', async (endpoint) => {
    const client = lastCalls.has(endpoint.id) ? await signedInAs(test, role, own) : clientOf(role);
    const asked = await ask(endpoint, { headers: client.headers, value: ownThing(client) });
    const verdict = verdictOf(endpoint, asked);
    note(endpoint, role, verdict);
    expect(verdict).toBe(isAllowed(endpoint, role) ? 'allowed' : 403);
    // Nothing of another organisation shows in what one's own answers.
    for (const secret of [foreignIccid, foreignImsi, foreign.code, foreign.tenantId]) {
      expect(asked.text).not.toContain(secret);
    }
  });

  it.each(needsOrganisation)(
    'is refused by $id in the name of another organisation, or of none',
    async (endpoint) => {
      const client = clientOf(role);
      const value = ownThing(client);
      const { authorization = '' } = client.headers;
      const headers = { authorization, 'tenant-id': foreign.tenantId, 'partner-code': foreign.code };
      for (const [column, used] of [
        ['other org', headers],
        ['no org', { authorization }],
      ] as const) {
        const asked = await ask(endpoint, { headers: used, value });
        note(endpoint, column, asked.http);
        expect([asked.http, asked.envelope?.status.code]).toEqual([403, 'CB-07-0008']);
      }
    },
  );
});

it.each(needsSession)('nobody calls $id without a session', async (endpoint) => {
  const asked = await ask(endpoint, { headers: {}, value: foreignThing });
  note(endpoint, 'no session', asked.http);
  expect([asked.http, asked.envelope?.status.code]).toEqual([401, 'CB-00-0401']);
});

describe.each(roles)("another organisation's things, asked for by a %s,", (role) => {
  it.each(asksForThing)('are not found by $id', async (endpoint) => {
    const asked = await ask(endpoint, { headers: clientOf(role).headers, value: foreignThing });
    note(endpoint, "other's", asked.http);
    expect(asked.http).toBe(isAllowed(endpoint, role) ? 404 : 403);
  });
});
