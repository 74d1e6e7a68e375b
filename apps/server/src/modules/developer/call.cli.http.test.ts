import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { commandLine } from '../../testing/command-line.ts';
import { makeSim } from '../../testing/inventory.ts';
import { runJobs } from '../../testing/jobs.ts';
import { createApiKey } from '../../testing/signing.ts';

let test: TestApp;
let directory: string;
let simcube: ReturnType<typeof commandLine>;
let url: string;
let id: string;
let developer: TestClient;

const path = (name: string): string => join(directory, name);

beforeAll(async () => {
  test = await testApp();
  // The command signs with the machine's time.
  test.clock.set(new Date());
  directory = await mkdtemp(join(tmpdir(), 'simcube-call-'));
  simcube = commandLine(test, directory);
  developer = await signedInAs(test, 'admin', await makeOrganisation(test, { code: 'CALLS' }));
  const key = await createApiKey(developer);
  id = key.id;
  await writeFile(path('key.pem'), key.privateKey);
  url = await test.listen();
});

afterAll(async () => {
  await test.close();
  await rm(directory, { recursive: true, force: true });
});

const call = (args: readonly string[], { to = url, key = 'key.pem' } = {}) =>
  simcube.run(['call', '--url', to, '--key-id', id, '--key-file', path(key), ...args]);

describe('simcube call', () => {
  it('prints the response as the API sends it', async () => {
    const { out } = await call(['sim.list', '--body', '{"page_size": 10}']);
    expect(JSON.parse(out)).toEqual({
      data: [],
      total_count: 0,
      next_cursor: null,
      total_relation: 'eq',
      resultCode: '0000',
      trace_id: expect.any(String),
      as_of: expect.any(String),
      status: { success: true, code: 'CB-00-0000', message: expect.any(String) },
    });
  });

  it('does a write once that is repeated with its Idempotency-Key', async () => {
    const body = ['--body', '{"name": "Ops", "emails": ["ops@example.test"]}'];
    const write = (key: string) => call(['notify.createGroup', ...body, '--idempotency-key', key]);
    const [first, repeated, another] = [await write('ops-1'), await write('ops-1'), await write('ops-2')];
    expect(JSON.parse(first.out).data).toMatchObject({ name: 'Ops' });
    expect(JSON.parse(repeated.out).data).toEqual(JSON.parse(first.out).data);
    expect(another).toMatchObject({ failed: true, errors: expect.stringContaining('(CB-09-') });
    expect((await call(['sim.listViews', '--idempotency-key', 'ops-3'])).errors).toBe(
      '--idempotency-key has no effect on sim.listViews\n',
    );
  });

  it('downloads the report of a task', async () => {
    const { iccid } = await makeSim(test.database.pool, developer.orgId, { lifecycle: 'active' });
    const selection = JSON.stringify({ selection: { iccids: [iccid] } });
    const { out } = await call(['sim.suspend', '--body', selection]);
    const reference = JSON.parse(out).data.task.reference_id;
    await runJobs(test.database, test.wiring.jobs);
    const param = ['--param', `taskReference=${reference}`];
    const file = path('report.csv');
    expect(await call(['task.download', ...param, '--output', file])).toMatchObject({
      out: '',
      failed: false,
    });
    expect(await readFile(file, 'utf8')).toContain(iccid);
    expect(await call(['task.download', '--param', 'taskReference=T99999999'])).toMatchObject({
      failed: true,
      errors: expect.stringContaining('CB-09-0012'),
    });
  });

  it('accepts a body with a byte order mark, and rejects duplicate keys', async () => {
    await writeFile(path('body.json'), '\uFEFF{ "page_size": 1 }');
    expect(await call(['sim.list', '--body', `@${path('body.json')}`])).toMatchObject({ failed: false });
    expect(await call(['sim.list', '--body', '{"page_size": 1, "page_size": 2}'])).toMatchObject({
      failed: true,
      errors: '"page_size" appears twice (line 1)\n',
    });
    expect(await call(['sim.list', '--body', '{'])).toMatchObject({
      errors: expect.stringMatching(/^--body is not JSON: /),
    });
  });

  it('reports an unreachable server and an invalid URL', async () => {
    expect((await call(['developer.listKeys'], { to: 'http://127.0.0.1:10' })).errors).toBe(
      "http://127.0.0.1:10 can't be reached (ECONNREFUSED)\n",
    );
    const none = await call(['developer.listKeys'], { to: 'sim.example.com' });
    expect(none.errors).toContain("option '--url <url>' argument 'sim.example.com' is invalid");
  }, 20_000);

  it('reports a file without a private key', async () => {
    await writeFile(path('text.pem'), 'no key');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(path('ec.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    for (const key of ['text.pem', 'ec.pem'])
      expect(await call(['developer.listKeys'], { key })).toMatchObject({
        failed: true,
        errors: `${path(key)} does not contain an RSA private key (PEM)\n`,
      });
  });

  it('requires each path parameter exactly once, and no others', async () => {
    const remove = (...params: string[]) =>
      call(['developer.removeKey', ...params.flatMap((param) => ['--param', param])]);
    expect((await remove()).errors).toMatch(
      /^developer\.removeKey requires --param \w+=…, a parameter of \/cube/,
    );
    expect((await remove('idd=1')).errors).toMatch(/^--param idd: not a parameter of \/cube/);
    const [, name = ''] = /requires --param (\w+)=/.exec((await remove()).errors) ?? [];
    expect((await remove(`${name}=1`, `${name}=2`)).errors).toBe(`--param ${name}: given twice\n`);
  });

  it('refuses --param for a path, which contains its parameters', async () => {
    const { failed, errors } = await call(['GET', '/cube/developer/keys', '--param', 'id=1']);
    expect({ failed, errors }).toEqual({
      failed: true,
      errors: expect.stringMatching(/^--param belongs to the id/),
    });
  });
});
