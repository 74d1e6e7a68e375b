import { type Envelope, endpoints, headers, type Language } from '@simcube/contract';
import type { TaskType } from '@simcube/contract/task';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../../platform/db/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { createApiKey, readSigning, sendCall } from '../../../testing/signing.ts';
import { simItems } from '../../sim/index.ts';
import { reportOf } from '../task.report.ts';
import { endTask } from '../task.service.ts';
import { startWork } from '../work/work.service.ts';
import { insertPart, setReport } from '../work.queries.ts';

let test: TestApp;
let person: TestClient;
let colleague: TestClient;
let own: Awaited<ReturnType<typeof makeOrganisation>>;
let reference: string;
const iccids = ['89860012300000000001', '=89860012300000000002', '89860012300000000003'];
const refusals = [undefined, 'CB-01-0017', 'CB-01-0012'] as const;
const actor = {
  kind: 'person',
  id: null,
  name: 'A',
  address: null,
  traceId: null,
  action: undefined,
} as const;

const order = (client = person) =>
  inTransaction(test.database.pool, (tx) =>
    startWork(tx, {
      orgId: client.orgId,
      userId: client.userId,
      actor,
      type: 'sim-suspend',
      remark: null,
      parameters: {},
      at: test.clock.now(),
      kind: simItems,
      items: iccids.map((label, index) => ({ ref: null, label, refused: refusals[index] })),
      access: null,
    }),
  );
const end = (of: string) =>
  inTransaction(test.database.pool, (tx) =>
    endTask(tx, { id: Number(of.slice(1)), status: 'issues', result: null, at: test.clock.now() }),
  );
const tokenOf = async (client: TestClient, taskReference: string, format?: 'csv' | 'xlsx') =>
  client.call(endpoints.task.makeDownloadToken, { query: { taskReference, ...(format && { format }) } });
const download = (taskReference: string, token: string, language: Language = 'en-US') =>
  test.app.inject({
    url: `/public-sphere/rest/job/${taskReference}/download`,
    headers: { [headers.oneTimeToken]: token, 'accept-language': language },
  });

beforeAll(async () => {
  test = await testApp();
  own = await makeOrganisation(test, { code: 'own' });
  person = await signedInAs(test, 'operator', own);
  colleague = await signedInAs(test, 'superadmin', own);
  ({ reference_id: reference } = await order());
});
afterAll(() => test.close());

describe('a task', () => {
  it('is available to its person only', async () => {
    const request = { params: { taskReference: reference } };
    expect((await person.call(endpoints.task.getMine, request)).body.data).toMatchObject({
      reference_id: reference,
      type: 'sim-suspend',
      status: 'processing',
      quantity: 3,
      done: 2,
      report: null,
    });
    for (const [client, asked] of [
      [colleague, reference],
      [person, 'T99999999'],
      [person, "T0'"],
      [person, 'x'],
    ] as const) {
      const { http, body } = await client.call(endpoints.task.getMine, { params: { taskReference: asked } });
      expect([http, body.status.code]).toEqual([404, 'CB-09-0012']);
    }
  });

  it('shows the result of each item, page by page, in the language of the caller', async () => {
    const params = { taskReference: reference };
    const first = await person.call(endpoints.task.listItems, { params, query: { page_size: 2 } });
    expect(first.body.data).toEqual([
      { position: 0, label: iccids[0], own: false, state: 'waiting', code: null, message: null },
      {
        position: 1,
        label: iccids[1],
        own: false,
        state: 'refused',
        code: 'CB-01-0017',
        message: 'A SIM has at most 10 tags.',
      },
    ]);
    const query = { page_size: 2, cursor: first.body.next_cursor ?? '' };
    const second = await person.call(
      endpoints.task.listItems,
      { params, query },
      { headers: { 'accept-language': 'zh-CN' } },
    );
    expect(second.body.data).toMatchObject([{ position: 2, message: '该 ICCID 不属于此组织。' }]);
    const refused = await person.call(endpoints.task.listItems, { params, query: { state: 'refused' } });
    expect([refused.body.total_count, refused.body.data.length]).toEqual([2, 2]);
    const foreign = await colleague.call(endpoints.task.listItems, { params });
    expect(foreign.body.status.code).toBe('CB-09-0012');
  });
});

describe('a report', () => {
  it('exists once the task has ended', async () => {
    expect((await tokenOf(person, reference)).body.status.code).toBe('CB-09-0014');
    await end(reference);
    expect((await tokenOf(colleague, reference)).body.status.code).toBe('CB-09-0012');
    expect((await tokenOf(person, reference)).body.data.token).toMatch(/^sct_/);
  });

  it('is downloaded once with its token, in the language of the request, without formulas', async () => {
    const { token } = (await tokenOf(person, reference)).body.data;
    const answer = await download(reference, token, 'es-ES');
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(answer.headers['content-disposition']).toContain(`sim-suspend-${reference}.csv`);
    expect(answer.body.split('\r\n').slice(0, 3)).toEqual([
      '\u{feff}ICCID,Resultado,Código,Motivo',
      `${iccids[0]},En espera,,`,
      `'${iccids[1]},Rechazado,CB-01-0017,Una SIM tiene como máximo 10 etiquetas.`,
    ]);
    expect((await download(reference, token)).json<Envelope<null>>().status.code).toBe('CB-09-0013');
  });

  it('is downloaded once by concurrent requests with one token', async () => {
    const { token } = (await tokenOf(person, reference)).body.data;
    const answers = await Promise.all([download(reference, token), download(reference, token)]);
    expect(answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 400]);
  });

  it('requires its own valid token', async () => {
    const other = (await order()).reference_id;
    const { token } = (await tokenOf(person, reference)).body.data;
    const codeOf = async (of: string, with_: string) =>
      (await download(of, with_)).json<Envelope<null>>().status.code;
    expect(await codeOf(other, token)).toBe('CB-09-0013');
    expect(await codeOf(reference, `sct_${'A'.repeat(43)}`)).toBe('CB-09-0013');
    test.clock.advance(60_001);
    expect(await codeOf(reference, token)).toBe('CB-09-0013');
    const { rows } = await test.database.pool.query('select * from download_tokens');
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  it('that an API key asks for is downloaded as long as the key is accepted', async () => {
    const holder = await signedInAs(test, 'admin', own);
    const { reference_id: ordered } = await order(holder);
    await end(ordered);
    const { signed } = await readSigning();
    const { method, path } = endpoints.task.makeDownloadToken;
    const now = test.clock.now().getTime();
    const tokenBy = async (expiresIn: number) => {
      const key = await createApiKey(holder, { expires_at: new Date(now + expiresIn).toISOString() });
      const asked = { method, url: `${path}?taskReference=${ordered}` };
      const answer = await sendCall(test, asked, signed(asked, key, { created: Math.floor(now / 1000) }));
      return { id: key.id, token: (answer.data as { token: string }).token };
    };
    const codeOf = async ({ token }: { token: string }) => (await download(ordered, token)).statusCode;
    const [kept, removed, expiring] = [await tokenBy(60_000), await tokenBy(60_000), await tokenBy(10_000)];
    expect([await codeOf(kept), await codeOf(kept)]).toEqual([200, 400]);
    await holder.call(endpoints.developer.removeKey, { params: { id: removed.id } });
    expect(await codeOf(removed)).toBe(400);
    test.clock.advance(10_001);
    expect(await codeOf(expiring)).toBe(400);
    const refused = await tokenBy(60_000);
    await test.database.pool.query(`update memberships set role = 'user' where user_id = $1`, [
      holder.userId,
    ]);
    expect(await codeOf(refused)).toBe(400);
  });

  describe('is no longer downloaded with a token that was made before', () => {
    const account = (client: TestClient) => ({ params: { userId: client.userId } });
    const changed = async (change: (client: TestClient) => Promise<unknown>, type: TaskType) => {
      const client = await signedInAs(test, 'operator', own);
      const { reference_id: ordered } = await order(client);
      await end(ordered);
      const { pool } = test.database;
      await pool.query('update tasks set type = $2 where id = $1', [Number(ordered.slice(1)), type]);
      const tokens = [await tokenOf(client, ordered), await tokenOf(client, ordered)];
      const [kept, lost] = tokens.map(({ body }) => body.data.token) as [string, string];
      expect((await download(ordered, kept)).statusCode).toBe(200);
      await change(client);
      return (await download(ordered, lost)).json<Envelope<null>>().status.code;
    };

    it.each<[string, (client: TestClient) => Promise<unknown>]>([
      ['the person is removed', (client) => colleague.call(endpoints.account.remove, account(client))],
      [
        'the account is disabled',
        (client) =>
          colleague.call(endpoints.account.changeStatus, {
            ...account(client),
            body: { status: 'disabled' },
          }),
      ],
      [
        'the sessions in the organisation are ended',
        (client) => colleague.call(endpoints.account.endSessions, account(client)),
      ],
      ['the person signs out', (client) => client.call(endpoints.identity.signOut)],
      [
        'the person is disabled',
        (client) =>
          test.database.pool.query('update users set disabled_at = now() where id = $1', [client.userId]),
      ],
      [
        'the right to its contents is lost',
        (client) =>
          colleague.call(endpoints.account.changePermission, {
            params: { ...account(client).params, key: 'sim' },
            body: { actions: [] },
          }),
      ],
    ])('when %s', async (_, change) => {
      expect(await changed(change, 'sim-export')).toBe('CB-09-0013');
    });
  });

  it('that the task created as a file is downloaded unchanged', async () => {
    const { reference_id } = await order();
    const id = Number(reference_id.slice(1));
    await insertPart(test.database.pool, id, 0, Buffer.from('one,'));
    await insertPart(test.database.pool, id, 1, Buffer.from('two'));
    await setReport(test.database.pool, id, 'SIM 卡.csv', 7);
    await end(reference_id);
    const answer = await download(reference_id, (await tokenOf(person, reference_id)).body.data.token);
    expect(answer.body).toBe('one,two');
    expect(answer.headers['content-length']).toBe('7');
    expect(answer.headers['content-disposition']).toContain(`filename*=UTF-8''SIM%20%E5%8D%A1.csv`);
  });

  it('that is deleted while it is downloaded does not end as if it were complete', async () => {
    const { pool } = test.database;
    const { reference_id } = await order();
    const id = Number(reference_id.slice(1));
    await insertPart(pool, id, 0, Buffer.from('one,'));
    await setReport(pool, id, 'sims.csv', 7);
    await end(reference_id);
    const query = {
      kindOf: () => undefined,
      format: 'csv',
      language: 'en-US',
      now: test.clock.now(),
    } as const;
    const report = await reportOf(pool, { taskId: id, ...query });
    await expect(async () => {
      for await (const _ of report?.content ?? []);
    }).rejects.toThrow('was deleted while it was read');
  });

  it('can be downloaded as a workbook', async () => {
    const answer = await download(reference, (await tokenOf(person, reference, 'xlsx')).body.data.token);
    expect(answer.rawPayload.subarray(0, 2).toString()).toBe('PK');
    expect(answer.headers['content-disposition']).toContain('.xlsx');
  });
});
