import { endpoints, limits } from '@simcube/contract';
import type { AuditAction, AuditEntry } from '@simcube/contract/audit';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '../../platform/db/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { recordAudit } from './index.ts';

let test: TestApp;
let admin: TestClient;
let stranger: TestClient;
let user: TestClient;
const { list, export: exportCall } = endpoints.audit;
const minute = 60_000;
const start = Date.parse('2026-01-05T08:00:00Z');

/** A UUID for each name. */
const idOf = (who: string): string =>
  `00000000-0000-4000-8000-${Buffer.from(who).toString('hex').slice(0, 12).padStart(12, '0')}`;

const record = (
  orgId: number,
  minutes: number,
  {
    who = 'Ana Ruiz',
    whom = 'Bea Kim',
    action = 'account.updated' as AuditAction,
    after = { role: 'user' },
  } = {},
) =>
  inTransaction(test.database.pool, (tx) =>
    recordAudit(tx, {
      orgId,
      actor: { kind: 'person', id: idOf(who), name: who, address: '192.0.2.1', traceId: 't', action },
      at: new Date(start + minutes * minute),
      subject: { kind: 'account', id: 's', name: whom },
      after,
    }),
  );

beforeAll(async () => {
  test = await testApp();
  const own = await makeOrganisation(test, { code: 'northwind' });
  const other = await makeOrganisation(test, { code: 'fabrikam' });
  admin = await signedInAs(test, 'admin', own);
  user = await signedInAs(test, 'user', own);
  stranger = await signedInAs(test, 'admin', other);
  // Signing in is audited too: the tests begin with an empty trail.
  await test.database.pool.query('truncate audit_entries, audit_heads');
  for (let i = 0; i < 12; i += 1) await record(own.id, i, { whom: `Person ${i}` });
  await record(own.id, 12, { who: '=HYPERLINK("http://x")', whom: '50%_done', action: 'account.removed' });
  await record(own.id, 13, { who: '张伟', whom: 'line\nbreak', action: 'invitation.sent' });
});

afterAll(() => test.close());

const numbers = (entries: AuditEntry[]) => entries.map((entry) => entry.number);
const find = async (body: object) => (await admin.call(list, { body })).body;

describe('the list', () => {
  it('shows the newest first, and the total', async () => {
    const { data, total_count, next_cursor } = await find({ page_size: 5 });
    expect(numbers(data)).toEqual([14, 13, 12, 11, 10]);
    expect(total_count).toBe(14);
    expect(next_cursor).not.toBeNull();
    expect(numbers((await find({ page_size: 5, page_no: 3 })).data)).toEqual([4, 3, 2, 1]);
  });

  it('shows each entry once along the cursor, also while entries are added', async () => {
    for (let i = 0; i < 6; i += 1) await record(stranger.orgId, i);
    const seen: number[] = [];
    let cursor: string | null | undefined;
    do {
      const page = { page_size: 2, ...(cursor && { cursor }) };
      const { body } = await stranger.call(list, { body: page });
      seen.push(...numbers(body.data));
      await record(stranger.orgId, 20);
      cursor = body.next_cursor;
    } while (cursor);
    expect(seen).toEqual([6, 5, 4, 3, 2, 1]);
    const { http, body } = await admin.call(list, { body: { cursor: 'bm90IG91cnM' } });
    expect([http, body.status.code]).toEqual([400, 'CB-00-0406']);
  });

  it('is filtered by action, person and time, and searched by both names, without wildcards', async () => {
    expect(numbers((await find({ action: ['account.removed', 'invitation.sent'] })).data)).toEqual([14, 13]);
    expect(numbers((await find({ actor_id: idOf('张伟') })).data)).toEqual([14]);
    expect(
      numbers((await find({ from: '2026-01-05T08:03:00Z', to: '2026-01-05T08:05:00.000Z' })).data),
    ).toEqual([5, 4]);
    expect(numbers((await find({ search: 'ANA r', page_size: 2 })).data)).toEqual([12, 11]);
    expect((await find({ search: 'ANA r', page_size: 2 })).total_count).toBe(12);
    expect(numbers((await find({ search: '张' })).data)).toEqual([14]);
    expect(numbers((await find({ search: 'person 11' })).data)).toEqual([12]);
    expect(numbers((await find({ search: '%_' })).data)).toEqual([13]);
    expect(numbers((await find({ search: '\\' })).data)).toEqual([]);
  });

  it('finds a single entry by its number, within the organisation', async () => {
    expect(numbers((await find({ number: 3 })).data)).toEqual([3]);
    expect(numbers((await find({ number: 99 })).data)).toEqual([]);
    expect((await stranger.call(list, { body: { number: 14 } })).body.data).toEqual([]);
  });

  it('rejects invalid filters', async () => {
    for (const body of [
      { action: ['account.invented'] },
      { from: 'yesterday' },
      { search: 'x'.repeat(101) },
      { page_size: limits.page.maxByApi + 1 },
    ]) {
      expect((await admin.call(list, undefined, { raw: { body } })).body.status.code).toBe('CB-00-0400');
    }
  });

  it('shows nothing of another organisation, and nothing to a role without the permission', async () => {
    const { body } = await stranger.call(list, { body: {} });
    expect(new Set(body.data.map((entry) => entry.subject.name))).toEqual(new Set(['Bea Kim']));
    expect((await stranger.call(list, { body: { search: 'Person' } })).body.data).toEqual([]);
    const { authorization = '' } = stranger.headers;
    const across = await admin.call(list, { body: {} }, { headers: { authorization } });
    expect([across.http, across.body.status.code]).toEqual([403, 'CB-07-0008']);
    expect((await user.call(list, { body: {} })).http).toBe(403);
  });
});

describe('the export', () => {
  const file = async (who: TestClient, payload: object = {}) => {
    const { path, method } = exportCall;
    return test.app.inject({ method, url: path, headers: who.headers, payload });
  };

  it('is the list as CSV, with hashes and without formulas', async () => {
    const response = await file(admin);
    expect(response.statusCode).toBe(200);
    expect(response.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(response.headers['content-disposition']).toContain('filename="audit-northwind-2026-11-21.csv"');
    const rows = parse(response.body, { columns: true, bom: true }) as Record<string, string>[];
    const { data } = await find({});
    expect(rows.map((row) => [Number(row['number']), row['hash']])).toEqual(
      data.map((entry) => [entry.number, entry.hash]),
    );
    expect(rows[1]).toMatchObject({
      at: '2026-01-05T08:12:00.000000Z',
      action: 'account.removed',
      actor_name: `'=HYPERLINK("http://x")`,
      subject_name: '50%_done',
      before: '',
      after: '{"role":"user"}',
    });
    expect(rows[0]).toMatchObject({ actor_name: '张伟', subject_name: 'line\nbreak' });
  });

  it('is filtered, limited to one organisation, and rejected without the permission', async () => {
    const lines = (await file(admin, { search: 'person 1' })).body.trim().split('\r\n');
    expect(lines).toHaveLength(1 + 3);
    expect((await file(stranger, { search: 'person' })).body.trim().split('\r\n')).toHaveLength(1);
    expect((await file(user)).statusCode).toBe(403);
  });

  it('continues across batches and stops at the limit', async () => {
    await test.database.pool.query(
      `insert into audit_entries (org_id, number, at, action, actor_kind, actor_name, subject_kind, subject_id,
         subject_name, hash)
       select $1, n, now(), 'account.updated', 'system', 'many', 'account', 'x', 'many', '\\x00'
       from generate_series(1001, 1000 + $2::int) n`,
      [admin.orgId, limits.auditExport + 7],
    );
    // As autovacuum does: without statistics each batch would scan the whole trail.
    await test.database.pool.query('analyze audit_entries');
    const before = process.memoryUsage().rss;
    const { body } = await file(admin, { search: 'many' });
    expect(body.trim().split('\r\n')).toHaveLength(1 + limits.auditExport);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    const counted = await find({ search: 'many', page_size: 1 });
    expect([counted.total_count, counted.data[0]?.number]).toEqual([
      limits.countedTotal,
      1000 + limits.auditExport + 7,
    ]);
  });
});
