import {
  acceptsIdempotencyKey,
  allEndpoints,
  allows,
  type EndpointShape,
  type ErrorCode,
  errors,
  headers,
  permissionsByRole,
  type Role,
  roles,
} from '@simcube/contract';
import type { RuleFileValidation } from '@simcube/contract/autoflow';
import type { Preview } from '@simcube/contract/sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signedInAs, type TestApp, type TestClient, testApp } from '../app.ts';
import {
  type CallResult,
  callEndpoint,
  fieldsOf,
  isOptional,
  isReference,
  shapeOf,
  type ValueOf,
} from './call-endpoint.ts';
import {
  foreignIccid,
  foreignImsi,
  type MatrixFixture,
  makeMatrixFixture,
  nonReferences,
} from './matrix/index.ts';

/**
 * Every call as every role: in the own organisation, without a session, on behalf of another organisation, and
 * asking for something of another organisation. The expected result follows from the endpoint record alone.
 */

type Verdict = 'allowed' | 401 | 403 | 404;

let test: TestApp;
let fixture: MatrixFixture;
let foreignSim: unknown;
let foreignRows: Record<string, string>;

/** Calls after which the caller has no session. */
const lastCalls = new Set(['identity.signOut']);

const matrix = new Map<string, Record<string, string>>();

beforeAll(async () => {
  test = await testApp();
  fixture = await makeMatrixFixture(test, roles);
  foreignSim = await readForeignSim();
  foreignRows = await readForeignRows();
  await test.app.listen({ host: '127.0.0.1', port: 0 });
});

afterAll(async () => {
  printMatrix();
  await test.close();
});

/** Everything stored about it and about work on it. */
const readForeignSim = async (): Promise<unknown> => {
  const { pool } = test.database;
  const { rows } = await pool.query<{ id: number }>(
    `select s.id, to_jsonb(s) as sim, to_jsonb(l) as live,
       (select count(*) from task_items i where i.kind = 'sim' and i.ref = s.id) as tasks
     from sims s join sim_live l on l.sim_id = s.id where s.iccid = $1`,
    [foreignIccid],
  );
  const events = await pool.query('select count(*) from sim_events where sim_id = $1', [rows[0]?.id]);
  return { sims: rows, events: events.rows };
};

/** All rows of the other organisation, by table, as one hash each. */
const readForeignRows = async (): Promise<Record<string, string>> => {
  const { pool } = test.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select c.table_name as name from information_schema.columns c join pg_class k on k.oid = c.table_name::regclass
     where c.table_schema = 'public' and c.column_name = 'org_id' and k.relkind in ('r', 'p') and not k.relispartition order by 1`,
  );
  const sums = tables.map(async ({ name }) => {
    const { rows } = await pool.query<{ sum: string }>(
      `select count(*) || ' ' || coalesce(sum(hashtextextended(t::text, 0)), 0) as sum from ${name} t where org_id = $1`,
      [fixture.foreign.id],
    );
    return [name, rows[0]?.sum ?? ''] as const;
  });
  return Object.fromEntries(await Promise.all(sums));
};

const clientOf = (role: Role): TestClient => {
  const client = fixture.clients.get(role);
  if (!client) throw new Error(`Nobody is ${role}`);
  return client;
};

/**
 * A refusal for one of the call's own reasons (a missing password, one's own account) still counts as admitted;
 * a missing permission has the common code, or the one that the record names for it.
 */
const verdictOf = (endpoint: EndpointShape, { http, envelope }: CallResult): Verdict | string => {
  if (http === 401 || http === 404) return http;
  const code = envelope?.status.code;
  if (code === refusalOf(endpoint) || code === 'CB-07-0008') return 403;
  const ownReason = endpoint.errors.some((one) => one === code);
  return http === 200 || ownReason ? 'allowed' : `${http} ${code}`;
};

/** The code for a missing permission. */
const refusalOf = ({ access }: EndpointShape): ErrorCode =>
  (access.kind === 'permission' ? access.refused : undefined) ?? 'CB-00-0403';

const isAllowed = ({ access }: EndpointShape, role: Role): boolean =>
  access.kind !== 'permission' || allows(permissionsByRole[role], access.key, access.action);

/** Changes of a keyed write that left an audit entry without the key being marked as done in the same transaction. */
const listUnmarked = async (key: string, traceId: string | undefined): Promise<unknown[]> =>
  (
    await test.database.pool.query(
      `select action from audit_entries where trace_id = $2 and not exists (
         select from idempotent_requests where key = $1 and done_at is not null)`,
      [key, traceId],
    )
  ).rows;

const recordVerdict = (endpoint: EndpointShape, column: string, verdict: string | number): void => {
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
/** Public calls have no organisation: their response is available to anyone who knows its unguessable id. */
const referencingCalls = needsSession.flatMap((endpoint) =>
  fieldsOf(endpoint).flatMap(([field, schema]) =>
    isReference(endpoint, field) ? [{ id: endpoint.id, endpoint, field, optional: isOptional(schema) }] : [],
  ),
);
const ownReference =
  (client: TestClient): ValueOf =>
  (field, endpoint) =>
    fixture.things[field].own(client, endpoint);
const foreignReference: ValueOf = (field, endpoint) => {
  const { foreign } = fixture.things[field];
  return typeof foreign === 'function' ? foreign(endpoint) : foreign;
};

it('every field that references data is tested here', () => {
  const looksLikeReference =
    /(^|_)(id|ids|iccids?|imsis?|msisdns?|eids?|code|codes|user|org|pool|account|selection|file|token)$|(Id|Ids|Code|Codes|Reference)$/;
  const unknown = allEndpoints.flatMap((endpoint) => {
    const named = new Set([
      ...Object.keys(shapeOf(endpoint.params)),
      ...fieldsOf(endpoint).flatMap(([field]) => (looksLikeReference.test(field) ? field : [])),
    ]);
    return [...named]
      .map((field) => ({ field, name: `${endpoint.id} ${field}` }))
      .filter(({ field, name }) => !isReference(endpoint, field) && !Object.hasOwn(nonReferences, name))
      .map(({ name }) => name);
  });
  expect(unknown).toEqual([]);
});

describe.each(roles)('a %s', (role) => {
  it.each(allEndpoints)('is allowed or denied $id as its record says', async (endpoint) => {
    const client = lastCalls.has(endpoint.id) ? await signedInAs(test, role, fixture.own) : clientOf(role);
    const key = `${endpoint.id} ${role}`.replaceAll(' ', '-');
    const asked = await callEndpoint(test, endpoint, {
      headers: {
        ...client.headers,
        ...(acceptsIdempotencyKey(endpoint) && { [headers.idempotencyKey]: key }),
      },
      value: ownReference(client),
    });
    const verdict = verdictOf(endpoint, asked);
    recordVerdict(endpoint, role, verdict);
    expect(verdict).toBe(isAllowed(endpoint, role) ? 'allowed' : 403);
    // So that a repeat after a crash never does the work a second time.
    if (acceptsIdempotencyKey(endpoint))
      expect(await listUnmarked(key, asked.envelope?.trace_id)).toEqual([]);
    // The response about one's own things contains nothing of another organisation.
    for (const secret of [foreignIccid, foreignImsi, fixture.foreign.code, fixture.foreign.tenantId]) {
      expect(asked.text).not.toContain(secret);
    }
  });

  it.each(needsOrganisation)('is denied $id on behalf of another organisation, or none', async (endpoint) => {
    const client = clientOf(role);
    const value = ownReference(client);
    const { authorization = '' } = client.headers;
    const headers = {
      authorization,
      'tenant-id': fixture.foreign.tenantId,
      'partner-code': fixture.foreign.code,
    };
    for (const [column, used] of [
      ['other org', headers],
      ['no org', { authorization }],
    ] as const) {
      const asked = await callEndpoint(test, endpoint, { headers: used, value });
      recordVerdict(endpoint, column, asked.http);
      expect([asked.http, asked.envelope?.status.code]).toEqual([403, 'CB-07-0008']);
    }
  });
});

it.each(needsSession)('$id is denied without a session', async (endpoint) => {
  const asked = await callEndpoint(test, endpoint, { headers: {}, value: foreignReference });
  recordVerdict(endpoint, 'no session', asked.http);
  expect([asked.http, asked.envelope?.status.code]).toEqual([401, 'CB-00-0401']);
});

/** Calls whose preview says that foreign SIMs would be refused; they change nothing. */
const previews = new Set([
  'bundle.previewActivation selection',
  'sim.parseTransfer file',
  'sim.parseInfo file',
]);

/** Calls that report what is wrong with a file, and store none with foreign SIMs. */
const validations = new Set(['autoflow.validateScopeFile file', 'autoflow.validateImeiFile file']);

/** Lists that can be restricted to one thing: a foreign one leaves them empty. */
const filterableLists = new Set([
  'notify.listGroups groupId',
  'notify.listSmsGroups groupId',
  'notify.listApiTargets groupId',
]);

/** Codes for a foreign thing whose status is not "not found", each with its reason. */
const otherRefusals = new Map<string, ErrorCode>([
  // An organisation's code may be known: the specification has a message for not being an admin there.
  ['sim.parseTransfer targetCode', 'CB-01-0018'],
  ['sim.transfer target_code', 'CB-01-0018'],
  // A list of SIMs restricts the export; nothing is left of it.
  ['sim.exportList selection', 'CB-09-0010'],
  // Only the rule itself accepts its list: any other counts as a modified file.
  ['autoflow.create scope', 'CB-05-0006'],
  ['autoflow.update scope', 'CB-05-0006'],
  ['autoflow.validateScope scope', 'CB-05-0006'],
  ['autoflow.replay scope', 'CB-05-0006'],
]);

describe.each(roles)('another organisation’s resources, requested by a %s,', (role) => {
  it.each(referencingCalls)('are not found by $id: $field', async ({ endpoint, field, optional }) => {
    const client = clientOf(role);
    // All other values are one's own, so that only this one can be refused; optional things may be alternatives
    // of each other.
    const value: ValueOf = (asked, of, mayMiss) => {
      if (asked === field) return foreignReference(asked, of, mayMiss);
      return optional && mayMiss ? undefined : ownReference(client)(asked, of, mayMiss);
    };
    const { http, envelope } = await callEndpoint(test, endpoint, { headers: client.headers, value });
    recordVerdict(endpoint, "other's", http);
    const name = `${endpoint.id} ${field}`;
    const other = otherRefusals.get(name);
    if (!isAllowed(endpoint, role)) expect(http).toBe(errors[refusalOf(endpoint)].http);
    else if (previews.has(name)) {
      const data = envelope?.data as Preview | { preview: Preview };
      const { changing, refused } = 'preview' in data ? data.preview : data;
      expect([http, changing, refused.map(({ code }) => code)]).toEqual([200, 0, ['CB-01-0012']]);
    } else if (validations.has(name)) {
      const data = envelope?.data as RuleFileValidation;
      const { sims, upload_id, errors: wrong } = data;
      expect([http, sims, upload_id, wrong.map(({ code }) => code)]).toEqual([200, 0, null, ['CB-01-0012']]);
    } else if (filterableLists.has(name)) expect([http, envelope?.data]).toEqual([200, []]);
    else if (other) expect([http, envelope?.status.code]).toEqual([errors[other].http, other]);
    else expect(http).toBe(404);
  });
});

it('the SIM of the other organisation is unchanged', async () => {
  expect(await readForeignSim()).toEqual(foreignSim);
});

it('no call has changed the rows of the other organisation', async () => {
  const kept = Object.values(foreignRows).filter((sum) => !sum.startsWith('0 '));
  expect(kept.length).toBeGreaterThan(20);
  expect(await readForeignRows()).toEqual(foreignRows);
});
