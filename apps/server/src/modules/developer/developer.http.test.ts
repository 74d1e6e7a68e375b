import { createHash } from 'node:crypto';
import { endpoints, headers as names } from '@simcube/contract';
import { createSigner, httpbis } from 'http-message-signatures';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLog } from '../../platform/log/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
  testPublicUrl,
} from '../../testing/app.ts';
import { makeSim } from '../../testing/inventory.ts';
import {
  createApiKey,
  readSigning,
  type Signing,
  type SigningInput,
  sendCall,
  type TestKey,
  type UnsignedCall,
} from '../../testing/signing.ts';
import { formOf } from '../../testing/upload.ts';

const { listKeys, createKey, removeKey } = endpoints.developer;
const { account, sim } = endpoints;

let test: TestApp;
let org: Awaited<ReturnType<typeof makeOrganisation>>;
let developer: TestClient;
let signing: Signing;
let key: TestKey;

beforeAll(async () => {
  test = await testApp();
  signing = await readSigning();
  org = await makeOrganisation(test, { code: 'northwind' });
  developer = await signedInAs(test, 'admin', org);
  key = await createApiKey(developer);
});

afterAll(() => test.close());

const body = JSON.stringify({ page_size: 10 });
const list: UnsignedCall = { method: 'GET', url: listKeys.path };
const search: UnsignedCall = {
  method: endpoints.audit.list.method,
  url: endpoints.audit.list.path,
  headers: { 'content-type': 'application/json' },
  body,
};

const seconds = () => Math.floor(test.clock.now().getTime() / 1000);
const signed = (request: UnsignedCall, by = key, more: Partial<SigningInput> = {}) =>
  signing.signed(request, by, { created: seconds(), ...more });
const send = (request: UnsignedCall, headers: Record<string, string>) => sendCall(test, request, headers);
const call = (request: UnsignedCall, by = key, more: Partial<SigningInput> = {}) =>
  send(request, signed(request, by, more));
const verdict = async (answer: ReturnType<typeof send>) => {
  const { http, code } = await answer;
  return [http, code];
};
const accepted = [200, 'CB-00-0000'];

describe('an API key', () => {
  it('is shown with its private key once, which is not stored', async () => {
    const { http, body: made } = await developer.call(createKey, { body: { name: 'Fleet' } });
    expect(http).toBe(200);
    expect(made.data.private_key).toContain('PRIVATE KEY');
    expect(made.data.key).toMatchObject({ name: 'Fleet', bits: 1024, rights: null, expires_at: null });
    const listed = await developer.call(listKeys);
    expect(listed.body.data).toContainEqual(made.data.key);
    expect(listed.body.as_of).toBe(test.clock.now().toISOString());
    expect(JSON.stringify(listed.body)).not.toContain('PRIVATE');
    const { rows } = await test.database.pool.query(
      `select action, actor_kind, after from audit_entries where subject_id = $1`,
      [made.data.key.id],
    );
    expect(rows).toMatchObject([{ action: 'api-key.created', actor_kind: 'person' }]);
    expect(JSON.stringify(rows)).not.toContain('PRIVATE');
  });

  it('has no permission that its creator lacks, and no past expiry', async () => {
    expect((await developer.call(createKey, { body: { rights: { account: ['write'] } } })).http).toBe(400);
    const late = await developer.call(createKey, { body: { expires_at: '2026-11-21T11:59:59Z' } });
    expect(late.body.status.detail?.issues).toMatchObject([{ path: 'expires_at', key: 'timePassed' }]);
    expect((await developer.call(createKey, {}, { raw: { body: { names: 'x' } } })).http).toBe(400);
  });

  it('belongs only to its account', async () => {
    const other = await signedInAs(test, 'admin', org);
    expect((await other.call(listKeys)).body.data).toEqual([]);
    expect((await other.call(removeKey, { params: { id: key.id } })).http).toBe(404);
  });

  it('is one of at most 20 of an account', async () => {
    const busy = await signedInAs(test, 'admin', org);
    await test.database.pool.query(
      `insert into api_keys (id, org_id, user_id, public_key, bits, created_at)
       select gen_random_uuid(), $1, $2, '', 1024, now() from generate_series(1, 20)`,
      [org.id, busy.userId],
    );
    expect((await busy.call(createKey, { body: {} })).body.status.code).toBe('CB-08-0001');
    await test.database.pool.query('delete from api_keys where user_id = $1', [busy.userId]);
  });
});

describe('a signed call', () => {
  it('is executed, records the use of its key, and returns the remaining rate limit', async () => {
    const answer = await call(list);
    expect([answer.http, answer.code]).toEqual(accepted);
    expect(answer.data).toContainEqual(
      expect.objectContaining({ id: key.id, last_used_at: test.clock.now().toISOString() }),
    );
    expect(answer.headers['ratelimit-policy']).toBe('"address";q=100000;w=60');
    expect(answer.headers['ratelimit']).toMatch(/^"address";r=\d+;t=\d+$/);
    expect(await verdict(call(search))).toEqual(accepted);
    const headers = { [names.tenantId]: org.tenantId, [names.partnerCode]: org.code };
    expect(await verdict(call({ ...list, headers }))).toEqual(accepted);
  });

  it('can be signed by another implementation', async () => {
    const signer = createSigner(key.privateKey, 'rsa-v1_5-sha256', key.id);
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const message = {
      method: search.method,
      url: `${testPublicUrl}${search.url}`,
      headers: { ...search.headers, 'content-digest': digest },
    };
    const { headers } = await httpbis.signMessage(
      {
        key: signer,
        name: 'sig',
        fields: ['@method', '@target-uri', 'content-digest', 'content-type'],
        params: ['created', 'keyid', 'alg', 'nonce'],
        paramValues: { created: test.clock.now(), nonce: 'another-implementation' },
      },
      message,
    );
    expect(await verdict(send(search, headers as Record<string, string>))).toEqual(accepted);
  });

  it('is attributed to its key in the audit trail', async () => {
    const spare = await createApiKey(developer);
    expect(await verdict(call({ method: 'DELETE', url: removeKey.path.replace('{id}', spare.id) }))).toEqual(
      accepted,
    );
    const { rows } = await test.database.pool.query(
      `select actor_kind, actor_id, actor_name from audit_entries where subject_id = $1 and action = 'api-key.removed'`,
      [spare.id],
    );
    expect(rows).toEqual([{ actor_kind: 'key', actor_id: key.id, actor_name: `admin Tester (${key.id})` }]);
  });

  it('is accepted once, in any order and process', async () => {
    const headers = signed(list);
    const answers = await Promise.all(Array.from({ length: 5 }, () => verdict(send(list, headers))));
    expect(answers.filter(([http]) => http === 200)).toHaveLength(1);
    expect(answers.filter(([, code]) => code === 'CB-08-0012')).toHaveLength(4);
    const beside = await testApp({ sameInstallationAs: test });
    expect(await verdict(sendCall(beside, list, headers))).toEqual([401, 'CB-08-0012']);
    const fresh = signed(list);
    const both = [test, beside].map((one) => verdict(sendCall(one, list, fresh)));
    expect((await Promise.all(both)).map(([http]) => http).sort()).toEqual([200, 401]);
    await beside.close();
  });

  it('is remembered until its signature expires', async () => {
    await call(list, key, { created: seconds() + 60 });
    const count = async () => {
      const { signal } = new AbortController();
      const log = createLog({ level: 'silent', format: 'json' });
      const trim = test.wiring.jobs.find(({ job }) => job.name === 'developer.trim-nonces');
      await trim?.handle({}, { signal, log, attempt: 1 });
      return (await test.database.pool.query('select from api_key_nonces')).rowCount;
    };
    const before = test.clock.now();
    expect(await count()).toBeGreaterThan(0);
    test.clock.set(new Date(before.getTime() + 719_000));
    expect(await count()).toBe(1);
    test.clock.set(new Date(before.getTime() + 721_000));
    expect(await count()).toBe(0);
    test.clock.set(before);
  });
});

describe('a call is refused', () => {
  const swapLabel = (field: string) => field.replace('sig1=', 'sig2=');
  const cases: [
    why: string,
    code: string,
    change: (headers: Record<string, string>) => Record<string, string>,
    sent?: Partial<UnsignedCall>,
  ][] = [
    ['with another path', 'CB-08-0011', (h) => h, { url: endpoints.audit.export.path }],
    ['with another query', 'CB-08-0011', (h) => h, { url: `${search.url}?a=1` }],
    ['with another method', 'CB-08-0011', (h) => h, { method: 'GET', url: list.url }],
    ['with another type', 'CB-08-0011', (h) => ({ ...h, 'content-type': 'application/json; charset=utf-8' })],
    ['with another body', 'CB-08-0013', (h) => h, { body: body.replace('10', '20') }],
    [
      'with another body and digest',
      'CB-08-0011',
      (h) => ({ ...h, 'content-digest': signed({ ...search, body: '{}' })['content-digest'] ?? '' }),
    ],
    [
      'with a label of its own in each field',
      'CB-08-0004',
      (h) => ({ ...h, signature: swapLabel(h['signature'] ?? '') }),
    ],
    [
      'with a second signature',
      'CB-08-0004',
      (h) => ({
        ...h,
        signature: `${h['signature']}, ${swapLabel(h['signature'] ?? '')}`,
        'signature-input': `${h['signature-input']}, ${swapLabel(h['signature-input'] ?? '')}`,
      }),
    ],
    [
      'with a label twice',
      'CB-08-0004',
      (h) => ({
        ...h,
        signature: `${h['signature']}, ${h['signature']}`,
        'signature-input': `${h['signature-input']}, ${h['signature-input']}`,
      }),
    ],
    ['without what is signed', 'CB-08-0004', ({ 'signature-input': _, ...h }) => h],
    ['without a signature', 'CB-08-0004', ({ signature: _, ...h }) => h],
    ['with fields beyond any size', 'CB-08-0004', (h) => ({ ...h, signature: `sig1=:${'A'.repeat(5000)}:` })],
    ['with a bearer token too', 'CB-08-0003', (h) => ({ ...h, authorization: 'Bearer scs_x' })],
    [
      'with another nonce',
      'CB-08-0011',
      (h) => ({
        ...h,
        'signature-input': (h['signature-input'] ?? '').replace(/nonce="[^"]*"/, `nonce="${'0'.repeat(20)}"`),
      }),
    ],
    [
      'with another algorithm',
      'CB-08-0005',
      (h) => ({
        ...h,
        'signature-input': (h['signature-input'] ?? '').replace('rsa-v1_5-sha256', 'hmac-sha256'),
      }),
    ],
    ['without its digest', 'CB-08-0007', ({ 'content-digest': _, ...h }) => h],
    [
      'without a covered digest',
      'CB-08-0007',
      (h) => ({ ...h, 'signature-input': (h['signature-input'] ?? '').replace(' "content-digest"', '') }),
    ],
    [
      "with an organisation's headers that are not signed",
      'CB-08-0007',
      (h) => ({ ...h, [names.tenantId]: org.tenantId }),
    ],
  ];
  it.each(cases)('%s: %s', async (_, code, change, sent = {}) => {
    const { code: answered, http } = await send({ ...search, ...sent }, change(signed(search)));
    expect([http, answered]).toEqual([401, code]);
  });

  it('when it is too old, too new or expired, and says which parameter is missing', async () => {
    expect(await verdict(call(list, key, { created: seconds() - 600 }))).toEqual([401, 'CB-08-0008']);
    expect(await verdict(call(list, key, { created: seconds() + 61 }))).toEqual([401, 'CB-08-0008']);
    const { code, message } = await call(list, key, { nonce: 'short' });
    expect([code, message]).toEqual([
      'CB-08-0006',
      'The parameter “nonce” of the signature is missing or not valid.',
    ]);
  });

  it('by a key that is unknown, of another, or removed', async () => {
    const unknown = { ...key, id: '00000000-0000-4000-8000-000000000000' };
    expect(await verdict(call(list, unknown))).toEqual([401, 'CB-08-0009']);
    const other = await createApiKey(developer);
    expect(await verdict(call(list, { ...other, privateKey: key.privateKey }))).toEqual([401, 'CB-08-0011']);
    expect(await verdict(call(list, other))).toEqual(accepted);
    await developer.call(removeKey, { params: { id: other.id } });
    expect(await verdict(call(list, other))).toEqual([401, 'CB-08-0009']);
    expect(await verdict(call(list, other))).toEqual([401, 'CB-08-0009']);
  });

  it('from the expiry of its key', async () => {
    const before = test.clock.now();
    const short = await createApiKey(developer, { expires_at: '2026-11-21T12:00:10Z' });
    expect(await verdict(call(list, short))).toEqual(accepted);
    test.clock.set(new Date(before.getTime() + 10_000));
    expect(await verdict(call(list, short))).toEqual([401, 'CB-08-0010']);
    test.clock.set(before);
  });

  it('in another organisation', async () => {
    const foreign = await makeOrganisation(test, { code: 'elsewhere' });
    const membership = {
      userId: developer.userId,
      orgId: foreign.id,
      role: 'admin',
      oversight: false,
    } as const;
    await test.wiring.org.addMembership(test.database.pool, membership);
    for (const headers of [{ [names.tenantId]: foreign.tenantId }, { [names.partnerCode]: foreign.code }])
      expect(await verdict(call({ ...list, headers }))).toEqual([403, 'CB-07-0008']);
  });

  it('if a session is required', async () => {
    const { getProfile } = endpoints.identity;
    for (const { method, path: url } of [
      getProfile,
      endpoints.org.listMine,
      createKey,
      endpoints.identity.connectLive,
    ])
      expect(await verdict(call({ method, url }))).toEqual([403, 'CB-08-0002']);
  });
});

describe('the permissions of a key', () => {
  let person: TestClient;
  let own: TestKey;
  const params = () => ({ userId: person.userId });

  beforeEach(async () => {
    person = await signedInAs(test, 'user', org);
    await developer.call(account.changePermission, {
      params: { ...params(), key: 'cube-developer-key' },
      body: { actions: ['read', 'write'] },
    });
    own = await createApiKey(person);
  });

  it('are those of the account at the time of the call', async () => {
    const views: UnsignedCall = { method: sim.listViews.method, url: sim.listViews.path };
    expect(await verdict(call(views, own))).toEqual(accepted);
    const params = { userId: person.userId, key: 'sim' } as const;
    await developer.call(account.changePermission, { params, body: { actions: [] } });
    expect(await verdict(call(views, own))).toEqual([403, 'CB-00-0403']);
  });

  it('are fewer if it was created that way', async () => {
    const narrow = await createApiKey(person, { rights: { 'cube-developer-key': ['read'] } });
    expect(await verdict(call(list, narrow))).toEqual(accepted);
    expect(await verdict(call(search, narrow))).toEqual([403, 'CB-00-0403']);
    const remove = { method: 'DELETE', url: removeKey.path.replace('{id}', narrow.id) } as const;
    expect(await verdict(call(remove, narrow))).toEqual([403, 'CB-00-0403']);
    const { method, path: url } = endpoints.dashboard.card;
    expect(await verdict(call({ method, url }, narrow))).toEqual([403, 'CB-08-0002']);
  });

  it('are empty while its account may not use keys', async () => {
    const views: UnsignedCall = { method: sim.listViews.method, url: sim.listViews.path };
    expect(await verdict(call(views, own))).toEqual(accepted);
    await developer.call(account.removePermission, { params: { ...params(), key: 'cube-developer-key' } });
    expect(await verdict(call(views, own))).toEqual([401, 'CB-08-0014']);
  });

  it('are suspended while the account is disabled, and end with it', async () => {
    await developer.call(account.changeStatus, { params: params(), body: { status: 'disabled' } });
    expect(await verdict(call(list, own))).toEqual([401, 'CB-08-0014']);
    await developer.call(account.changeStatus, { params: params(), body: { status: 'active' } });
    await test.database.pool.query('update users set disabled_at = now() where id = $1', [person.userId]);
    expect(await verdict(call(list, own))).toEqual([401, 'CB-08-0014']);
    await test.database.pool.query('update users set disabled_at = null where id = $1', [person.userId]);
    expect(await verdict(call(list, own))).toEqual(accepted);
    await developer.call(account.endSessions, { params: params() });
    expect(await verdict(call(list, own))).toEqual(accepted);
    await developer.call(account.remove, { params: params() });
    expect(await verdict(call(list, own))).toEqual([401, 'CB-08-0009']);
  });

  it('do not bypass the organisation’s requirements', async () => {
    const demand = (set: string) =>
      test.database.pool.query(`update organisations set ${set} where id = $1`, [org.id]);
    await demand(`allowed_networks = '{192.0.2.0/24}'`);
    expect(await verdict(call(list, own))).toEqual([403, 'CB-07-0026']);
    await demand(`allowed_networks = '{}', two_factor_required = true`);
    expect(await verdict(call(list, own))).toEqual([403, 'CB-07-0024']);
    await demand('two_factor_required = false');
  });
});

describe('a file that is uploaded by a key', () => {
  it('must match the signed digest', async () => {
    const { iccid } = await makeSim(test.database.pool, org.id, {});
    const form = formOf('sims.csv', `iccid\n${iccid}\n`);
    const { method, path: url } = sim.readIdentifiers;
    const request = {
      method,
      url,
      headers: { 'content-type': form.type },
      body: form.payload,
    };
    expect(await verdict(call(request))).toEqual(accepted);
    const changed = Buffer.from(form.payload.toString().replace(iccid, iccid.replaceAll(/\d/g, '7')));
    expect(await verdict(send({ ...request, body: changed }, signed(request)))).toEqual([401, 'CB-08-0013']);
  });
});
