import { utils, write } from '@e965/xlsx';
import { endpoints, limits } from '@simcube/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cell, writeTable } from '../../../platform/files/index.ts';
import { liveEventsOf } from '../../../platform/outbox/index.ts';
import {
  makeOrganisation,
  signedInAs,
  type TestApp,
  type TestClient,
  testApp,
} from '../../../testing/app.ts';
import { makeBundle, makeSim } from '../../../testing/inventory.ts';
import { runJobs } from '../../../testing/jobs.ts';
import { upload } from '../../../testing/upload.ts';

const { sim, task } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let branch: { id: number; code: string; tenantId: string };
let admin: TestClient;
let there: TestClient;
let bundleId: number;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  branch = await makeOrganisation(test, { code: 'branch' });
  await makeOrganisation(test, { code: 'stranger' });
  admin = await signedInAs(test, 'admin', acme);
  there = await signedInAs(test, 'admin', branch);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: branch.id,
    role: 'admin',
    oversight: false,
  });
  bundleId = await makeBundle(test.database.pool, { code: 'B1' });
});
afterAll(() => test.close());

const make = (facts: Parameters<typeof makeSim>[2] = {}) => makeSim(test.database.pool, acme.id, facts);
const work = () => runJobs(test.database, test.wiring.jobs);
const transfer = (body: {
  target_code: string;
  selection?: { iccids: string[] };
  upload_id?: string;
  preview?: boolean;
}) => admin.call(sim.transfer, { body: { preview: false, ...body } });
const query = async (text: string, values: unknown[] = []) =>
  (await test.database.pool.query(text, values)).rows;
const countsOf = async (orgId: number) => {
  const counts = await query('select lifecycle, sims from org_sim_counts where org_id = $1 and sims <> 0', [
    orgId,
  ]);
  const counted = await query(
    'select lifecycle, count(*) as sims from sims where org_id = $1 group by 1 order by 1',
    [orgId],
  );
  expect(counts.toSorted((a, b) => a.lifecycle - b.lifecycle)).toEqual(counted);
  const tags = await query('select tag, sims from org_tags where org_id = $1 and sims <> 0 order by 1', [
    orgId,
  ]);
  expect(tags).toEqual(
    await query(
      `select tag collate "C" as tag, count(*) as sims from sims, unnest(tags) as tag
       where org_id = $1 group by 1 order by 1`,
      [orgId],
    ),
  );
  return counts.length;
};
const columnOf = async (
  format: 'csv' | 'xlsx',
  cells: readonly string[],
  heading = 'ICCID',
): Promise<Buffer> => {
  async function* rows(): AsyncIterable<readonly Cell[]> {
    yield [heading];
    for (const cell of cells) yield [cell];
  }
  const pieces: Buffer[] = [];
  for await (const piece of writeTable(format, rows())) pieces.push(piece);
  return Buffer.concat(pieces);
};
const parse = (content: Buffer | string, name = 'move.csv', targetCode = 'branch') =>
  upload(test, admin, { endpoint: sim.parseTransfer, params: { targetCode }, name, content });

describe('a transfer', () => {
  it('moves SIMs with their orders, live state and counts', async () => {
    const moved = await make({ tags: ['fleet', 'eu'], bundleId });
    const stays = await make({ tags: ['fleet'], lifecycle: 'paused' });
    await query(
      `insert into bundle_orders (sim_id, org_id, bundle_id, status) values ($1, $2, $3, 'in use'), ($1, $2, $3, 'pending')`,
      [moved.id, acme.id, bundleId],
    );
    await query(
      `insert into sim_events (sim_id, at, org_id, kind) values ($1, '2026-11-20', $2, 'imei-changed')`,
      [moved.id, acme.id],
    );
    const { http, body } = await transfer({ target_code: 'BRANCH', selection: { iccids: [moved.iccid] } });
    expect(http).toBe(200);
    await work();
    const [row] = await query(
      `select s.org_id as sim, l.org_id as live, (select array_agg(distinct org_id::int) from bundle_orders where sim_id = s.id) as orders
       from sims s join sim_live l on l.sim_id = s.id where s.id = $1`,
      [moved.id],
    );
    expect(row).toEqual({ sim: branch.id, live: branch.id, orders: [branch.id] });
    expect(await query('select org_id from sims where id = $1', [stays.id])).toEqual([{ org_id: acme.id }]);
    await countsOf(acme.id);
    await countsOf(branch.id);
    const seen = await there.call(sim.basic, { query: { iccid: moved.iccid } });
    expect(seen.body.data?.organisation.code).toBe('branch');
    expect((await admin.call(sim.basic, { query: { iccid: moved.iccid } })).http).toBe(404);
    const events = await query(
      `select org_id, facts, actor, task_id from sim_events where sim_id = $1 and kind = 'transferred' order by org_id`,
      [moved.id],
    );
    const event = {
      facts: { from: 'acme', to: 'branch' },
      actor: 'admin Tester',
      task_id: body.data?.task?.reference_id,
    };
    expect(events).toEqual([
      { org_id: acme.id, ...event },
      { org_id: branch.id, ...event },
    ]);
    const facts = await query(
      `select org_id, topic, payload from outbox where topic = 'sim.transferred' order by id`,
    );
    expect(facts.map(({ org_id }) => org_id)).toEqual([acme.id, branch.id]);
    for (const { topic, payload } of facts) {
      expect(liveEventsOf(topic, payload)).toContainEqual({ name: 'sim.changed', data: { count: 1 } });
    }
  });

  it('to an organisation that is deleted meanwhile leaves each SIM where it is, and says why', async () => {
    const gone = await makeOrganisation(test, { code: 'gone' });
    const { userId } = admin;
    const member = { userId, orgId: gone.id, role: 'admin', oversight: false } as const;
    await test.wiring.org.addMembership(test.database.pool, member);
    const stays = await make();
    const { body } = await transfer({ target_code: 'gone', selection: { iccids: [stays.iccid] } });
    await query('delete from organisations where id = $1', [gone.id]);
    await work();
    expect(await query('select org_id from sims where id = $1', [stays.id])).toEqual([{ org_id: acme.id }]);
    const items = await query(`select code from task_items where task_id = $1`, [
      Number(body.data?.task?.reference_id.slice(1)),
    ]);
    expect(items).toEqual([{ code: 'CB-07-0029' }]);
  });

  it('requires an admin of the target, which must be another organisation', async () => {
    const selection = { iccids: [(await make()).iccid] };
    for (const target of ['stranger', 'nowhere']) {
      const { http, body } = await transfer({ target_code: target, selection });
      expect([http, body.status.code]).toEqual([403, 'CB-01-0018']);
    }
    expect((await transfer({ target_code: 'acme', selection })).body.status.code).toBe('CB-01-0024');
    expect((await transfer({ target_code: 'branch' })).body.status.code).toBe('CB-01-0010');
  });

  it('is not permitted for operators', async () => {
    const operator = await signedInAs(test, 'operator', acme);
    const { http, body } = await operator.call(sim.transfer, {
      body: { target_code: 'branch', selection: { iccids: [(await make()).iccid] }, preview: false },
    });
    expect([http, body.status.message]).toEqual([
      403,
      'Only administrators are allowed to perform this operation',
    ]);
  });

  it('refuses expired and terminated SIMs', async () => {
    const over = await make({ lifecycle: 'expired' });
    const { body } = await transfer({ target_code: 'branch', selection: { iccids: [over.iccid] } });
    expect(body.status.code).toBe('CB-01-0009');
  });
});

describe('a file for a transfer', () => {
  it('is read, previewed and applied once', async () => {
    const [a, b] = [await make(), await make()];
    const over = await make({ lifecycle: 'terminated' });
    const foreign = await makeSim(test.database.pool, branch.id);
    const cells = [a.iccid, b.iccid, a.iccid, 'not an ICCID', over.iccid, foreign.iccid, ''];
    const { body } = await parse(await columnOf('xlsx', cells), 'move.xlsx');
    const { upload_id = '', preview, errors, wrong_rows } = body.data ?? {};
    expect(preview).toMatchObject({ selected: 6, changing: 2 });
    expect(new Map(preview?.refused.map(({ code, iccids }) => [code, iccids]))).toEqual(
      new Map([
        ['CB-01-0020', [a.iccid]],
        ['CB-01-0021', ['not an ICCID']],
        ['CB-01-0009', [over.iccid]],
        ['CB-01-0012', [foreign.iccid]],
      ]),
    );
    expect(wrong_rows).toBe(4);
    expect(errors).toEqual([
      { row: 4, column: 'ICCID', value: a.iccid, code: 'CB-01-0020', message: 'Already in row 2' },
      {
        row: 5,
        column: 'ICCID',
        value: 'not an ICCID',
        code: 'CB-01-0021',
        message: 'An ICCID has 18 to 22 letters and digits',
      },
      {
        row: 6,
        column: 'ICCID',
        value: over.iccid,
        code: 'CB-01-0009',
        message: 'Operation not allowed for expired or terminated SIMs.',
      },
      {
        row: 7,
        column: 'ICCID',
        value: foreign.iccid,
        code: 'CB-01-0012',
        message: 'The ICCID does not belong to this organisation.',
      },
    ]);
    const again = await transfer({ target_code: 'branch', upload_id, preview: true });
    expect(again.body.data?.preview).toEqual(preview);
    const ordered = await transfer({ target_code: 'branch', upload_id });
    expect(ordered.body.data?.task?.quantity).toBe(6);
    await work();
    const items = await admin.call(task.listItems, {
      params: { taskReference: ordered.body.data?.task?.reference_id ?? '' },
      query: { page_size: 100 },
    });
    expect(items.body.data?.map(({ code }) => code)).toEqual([
      null,
      null,
      'CB-01-0020',
      'CB-01-0021',
      'CB-01-0009',
      'CB-01-0012',
    ]);
    expect(items.body.data?.map(({ message }) => message)).toEqual([
      null,
      null,
      `ICCID “${a.iccid}”: Already in row 2`,
      'ICCID “not an ICCID”: An ICCID has 18 to 22 letters and digits',
      'Operation not allowed for expired or terminated SIMs.',
      'The ICCID does not belong to this organisation.',
    ]);
    // SIMs that were transferred can no longer be opened here.
    expect(items.body.data?.map(({ own }) => own)).toEqual([false, false, false, false, true, false]);
    expect((await transfer({ target_code: 'branch', upload_id })).body.status.code).toBe('CB-09-0009');
  });

  it('is not taken together with a selection: which of them is meant can’t be known', async () => {
    const [inFile, selected] = [await make(), await make()];
    const { body } = await parse(await columnOf('csv', [inFile.iccid]));
    const { upload_id = '' } = body.data ?? {};
    const both = { target_code: 'branch', upload_id, selection: { iccids: [selected.iccid] } };
    for (const preview of [true, false]) {
      const refused = await transfer({ ...both, preview });
      expect([refused.http, refused.body.status.code]).toEqual([400, 'CB-00-0400']);
    }
    await work();
    expect(await query('select org_id from sims where id = $1', [inFile.id])).toEqual([{ org_id: acme.id }]);
  });

  it('is private to its person and organisation, and stored for an hour', async () => {
    const { body } = await parse(await columnOf('csv', [(await make()).iccid]));
    const { upload_id = '' } = body.data ?? {};
    const colleague = await signedInAs(test, 'admin', acme);
    await test.wiring.org.addMembership(test.database.pool, {
      userId: colleague.userId,
      orgId: branch.id,
      role: 'admin',
      oversight: false,
    });
    const foreign = await colleague.call(sim.transfer, {
      body: { target_code: 'branch', upload_id, preview: false },
    });
    expect(foreign.body.status.code).toBe('CB-09-0009');
    await query(`update uploads set expires_at = '2026-11-21T12:00:00Z' where id = $1`, [upload_id]);
    expect((await transfer({ target_code: 'branch', upload_id })).body.status.code).toBe('CB-09-0009');
  });

  it.each([
    ['ICCID', 'en'],
    ['iccid', 'small'],
    ['I-C-C-I-D', 'marked'],
  ])('has a column ICCID: %s', async (heading) => {
    const { http } = await parse(await columnOf('csv', [(await make()).iccid], heading));
    expect(http).toBe(200);
  });

  it('with a cell that is cut within a character, or has half of one, names it as far as it can be stored', async () => {
    const cell = `${'x'.repeat(39)}😀`;
    const cut = await parse(`ICCID\n${cell}\n`);
    expect(cut.body.data?.errors).toMatchObject([{ row: 2, value: 'x'.repeat(39), code: 'CB-01-0021' }]);
    // Text in an XLS is UTF-16 units, valid or not ([MS-XLS], 2.5.293).
    const book = utils.book_new(utils.aoa_to_sheet([['ICCID'], ['half \ud83d of one']]), 'SIMs');
    const half = await parse(write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer, 'half.xls');
    expect(half.body.data?.errors).toMatchObject([{ row: 2, value: 'half \ufffd of one' }]);
  });

  it('with that column twice is refused: which one is meant can’t be known', async () => {
    const { http, body } = await parse('ICCID,Owner,iccid\n8949020000000000001,x,8949020000000000002\n');
    expect([http, body.status.code, body.status.message]).toEqual([
      ...[400, 'CB-09-0004', 'The columns do not match the template: ICCID, iccid.'],
    ]);
  });

  it('without that column, or without rows, is refused', async () => {
    const wrong = await parse('Number,Name\n1,2\n');
    expect([wrong.body.status.code, wrong.body.status.message]).toEqual([
      'CB-09-0004',
      'The columns do not match the template: ICCID.',
    ]);
    expect((await parse('ICCID\n')).body.status.code).toBe('CB-09-0007');
    expect((await parse(Buffer.alloc(limits.upload.transferBytes + 1, 0x31))).body.status.code).toBe(
      'CB-09-0002',
    );
  });

  it('of two million octets is refused', async () => {
    const row = `${(await make()).iccid}\n`;
    const before = await query('select id from uploads');
    const content = `ICCID\n${row.repeat(Math.ceil(2_000_000 / row.length))}`;
    const refused = await parse(content);
    expect([refused.http, refused.body.status.code]).toEqual([413, 'CB-09-0002']);
    expect(await query('select id from uploads')).toEqual(before);
  });

  it('waits with others up to a maximum, and none of them is dropped', async () => {
    await query('truncate uploads');
    const { iccid } = await make();
    const ids: string[] = [];
    for (let n = 0; n < limits.upload.waiting; n += 1) {
      ids.push((await parse(await columnOf('csv', [iccid]))).body.data?.upload_id ?? '');
    }
    const refused = await parse(await columnOf('csv', [iccid]));
    expect([refused.http, refused.body.status.code]).toEqual([409, 'CB-09-0021']);
    expect(refused.body.status.message).toContain(String(limits.upload.waiting));
    for (const upload_id of ids) {
      expect((await transfer({ target_code: 'branch', upload_id, preview: true })).http).toBe(200);
    }
    await query('update uploads set expires_at = $2 where id = $1', [ids[0], test.clock.now()]);
    expect((await parse(await columnOf('csv', [iccid]))).http).toBe(200);
    await query('truncate uploads');
  });

  it('given in place of one before leaves that one behind, of the same person alone', async () => {
    await query('truncate uploads');
    const colleague = await signedInAs(test, 'admin', acme);
    await test.wiring.org.addMembership(test.database.pool, {
      userId: colleague.userId,
      orgId: branch.id,
      role: 'admin',
      oversight: false,
    });
    const content = await columnOf('csv', [(await make()).iccid]);
    const given = (client: TestClient, replaces?: string) =>
      upload(test, client, {
        endpoint: sim.parseTransfer,
        params: { targetCode: 'branch' },
        ...(replaces !== undefined && { query: { replaces } }),
        name: 'move.csv',
        content,
      });
    let last: string | undefined;
    for (let n = 0; n <= limits.upload.waiting; n += 1) {
      const { http, body } = await given(admin, last);
      expect([http, body.status.code]).toEqual([200, 'CB-00-0000']);
      last = body.data?.upload_id;
    }
    expect(await query('select id from uploads')).toEqual([{ id: last }]);
    const { body } = await given(colleague, last);
    const kept = (await query('select id from uploads')).map(({ id }) => id);
    expect(new Set(kept)).toEqual(new Set([last, body.data?.upload_id]));
    await query('truncate uploads');
  });

  it('may have at most 100,000 rows', async () => {
    const known = await make();
    const iccid = (n: number) => `8986009900000${String(n).padStart(6, '0')}`;
    const rows = Array.from({ length: limits.upload.rows - 1 }, (_, n) => iccid(n));
    const { body } = await parse(await columnOf('xlsx', [...rows, known.iccid]), 'big.xlsx');
    expect(body.data?.preview).toMatchObject({
      selected: limits.upload.rows,
      changing: 1,
      refused: [{ code: 'CB-01-0012', count: limits.upload.rows - 1 }],
    });
    expect(body.data?.preview.refused[0]?.iccids).toHaveLength(limits.previewSample);
    const ordered = await transfer({ target_code: 'branch', upload_id: body.data?.upload_id ?? '' });
    expect(ordered.body.data?.task?.quantity).toBe(limits.upload.rows);
    await work();
    expect(await query('select org_id from sims where id = $1', [known.id])).toEqual([{ org_id: branch.id }]);
    const tooMany = await parse(await columnOf('xlsx', [...rows, known.iccid, iccid(999_999)]), 'big.xlsx');
    expect([tooMany.http, tooMany.body.status.code]).toEqual([400, 'CB-09-0005']);
  }, 60_000);
});
