import { type Envelope, endpoints, limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBundle, placeOrders } from '../modules/bundle/index.ts';
import { makeOrganisation, signedInAs, type TestApp, type TestClient, testApp } from '../testing/app.ts';
import { bundleOf } from '../testing/bundles.ts';
import { makeSim } from '../testing/inventory.ts';
import { upload } from '../testing/upload.ts';

// The refusals and limits of the SIM area, as the specification lists them (sections 5, 8 and 9), each provoked
// by a call and compared word for word. Each title begins with the specification's own words.

const { sim, bundle } = endpoints;

let test: TestApp;
let acme: { id: number; code: string; tenantId: string };
let other: { id: number; code: string; tenantId: string };
let admin: TestClient;
let operator: TestClient;

beforeAll(async () => {
  test = await testApp();
  acme = await makeOrganisation(test, { code: 'acme' });
  other = await makeOrganisation(test, { code: 'other' });
  admin = await signedInAs(test, 'admin', acme);
  operator = await signedInAs(test, 'operator', acme);
  await test.wiring.org.addMembership(test.database.pool, {
    userId: admin.userId,
    orgId: other.id,
    role: 'admin',
    oversight: false,
  });
  await createBundle(test.database.pool, bundleOf({ code: 'B30' }));
  await createBundle(test.database.pool, bundleOf({ code: 'POOL', type: 'postpaid shared' }));
});
afterAll(() => test.close());

type Facts = Parameters<typeof makeSim>[2] & { technology?: string; orders?: string[] };

const make = async ({ technology, orders = [], ...facts }: Facts = {}): Promise<{ iccid: string }> => {
  const { pool } = test.database;
  const made = await makeSim(pool, acme.id, facts);
  if (technology) await pool.query('update sims set technology = $2 where id = $1', [made.id, technology]);
  const orderedAt = test.clock.now();
  await placeOrders(
    pool,
    orders.map((bundleCode) => ({ simId: made.id, bundleCode, salesOrderId: 'SO-1', orderedAt })),
  );
  return made;
};
const named = (...sims: { iccid: string }[]): SimSelection => ({ iccids: sims.map(({ iccid }) => iccid) });
const bare = (count: number): SimSelection => ({
  iccids: Array.from({ length: count }, (_, n) => `8949${String(n).padStart(15, '0')}`),
});
const activate = (selection: SimSelection) =>
  admin.call(bundle.activate, { body: { selection, preview: false } });
const suspend = (selection: SimSelection) => admin.call(sim.suspend, { body: { selection, preview: false } });
const tag = (selection: SimSelection, add: string[]) =>
  admin.call(sim.saveTag, { body: { selection, preview: false, add, remove: [] } });
const transfer = (selection: SimSelection) =>
  admin.call(sim.transfer, { body: { selection, target_code: 'other', preview: false } });
const exported = (selection: SimSelection) =>
  admin.call(sim.exportList, { body: { selection, format: 'csv' } });
const moving = (content: Buffer | string, name = 'move.csv') =>
  upload(test, admin, { endpoint: sim.parseTransfer, params: { targetCode: 'other' }, name, content });
const info = (content: Buffer | string, name = 'info.csv') =>
  upload(test, admin, { endpoint: sim.parseInfo, params: { orgCode: 'acme' }, name, content });

type ProvokedCall = () => Promise<{ http: number; body: Pick<Envelope<unknown>, 'status'> }>;
const said = async (provoke: ProvokedCall) => {
  const { http, body } = await provoke();
  return [http, body.status.code, body.status.message];
};

/** Provokes it while another transaction's statement of the same kind is running. */
const during = async (text: string, provoke: ProvokedCall): ReturnType<ProvokedCall> => {
  const client = await test.database.pool.connect();
  try {
    await client.query(`begin; ${text}`);
    return await provoke();
  } finally {
    await client.query('rollback');
    client.release();
  }
};

describe('SIM operations (section 8)', () => {
  it.each<[string, number, string, string, ProvokedCall]>([
    [
      "'Exceeding maximum SIMs allowed (max: 1000)!'",
      400,
      'CB-01-0002',
      'Exceeding maximum SIMs allowed (max: 1000)!',
      () => activate(bare(limits.activation + 1)),
    ],
    [
      "'Can only activate pre-activated SIMs!'",
      409,
      'CB-01-0003',
      'Can only activate pre-activated SIMs!',
      async () => activate(named(await make({ orders: ['B30'] }))),
    ],
    [
      "'SIMs are already being activated' (wait for the task)",
      409,
      'CB-01-0004',
      'SIMs are already being activated. Please wait for the task to finish.',
      async () => {
        const one = named(await make({ lifecycle: 'pre-activated', orders: ['B30'] }));
        await activate(one);
        return activate(one);
      },
    ],
    [
      'simultaneous operation not allowed / last request in progress',
      409,
      'CB-01-0005',
      'Simultaneous operations are not allowed: the last request is still in progress.',
      async () => {
        const one = named(await make());
        let requests: ReturnType<typeof suspend>[] = [];
        // One of the two is delayed where its task is stored; the other is refused in the meantime.
        const refused = await during('lock table tasks in share mode', () => {
          requests = [suspend(one), suspend(one)];
          return Promise.race(requests);
        });
        await Promise.all(requests);
        return refused;
      },
    ],
    [
      'not supported for OTA',
      409,
      'CB-01-0006',
      'Not supported for OTA SIMs.',
      async () =>
        activate(named(await make({ lifecycle: 'pre-activated', technology: 'OTA', orders: ['B30'] }))),
    ],
    [
      'no bundle available',
      409,
      'CB-01-0007',
      'No bundle available.',
      async () => activate(named(await make({ lifecycle: 'pre-activated' }))),
    ],
    [
      'not supported for multi-imsi',
      409,
      'CB-01-0008',
      'Not supported for multi-IMSI SIMs.',
      async () =>
        activate(
          named(await make({ lifecycle: 'pre-activated', technology: 'multi IMSI', orders: ['B30'] })),
        ),
    ],
    [
      'operation not allowed for expired or terminated SIM',
      409,
      'CB-01-0009',
      'Operation not allowed for expired or terminated SIMs.',
      async () => suspend(named(await make({ lifecycle: 'terminated' }))),
    ],
    [
      'SIM does not exist.',
      404,
      'CB-01-0001',
      'SIM does not exist.',
      () => admin.call(sim.basic, { query: { iccid: '8949000000000000000' } }),
    ],
    [
      'select at least one SIM: none is named',
      400,
      'CB-01-0010',
      'Please select at least one SIM.',
      () => suspend({ iccids: [] }),
    ],
    [
      'select at least one SIM: none matches',
      400,
      'CB-01-0010',
      'Please select at least one SIM.',
      () => suspend({ filter: { search: 'no such device' } }),
    ],
    [
      'SIM in process/busy',
      409,
      'CB-01-0011',
      'The SIM is busy. Please wait until the running task has finished.',
      async () => {
        const one = named(await make());
        await tag(one, ['first']);
        return suspend(one);
      },
    ],
    [
      'ICCID not belonging to the organisation',
      404,
      'CB-01-0012',
      'The ICCID does not belong to this organisation.',
      () => suspend(bare(1)),
    ],
    [
      'a transfer into a shared pool is denied',
      409,
      'CB-01-0013',
      'A transfer into a shared pool is denied.',
      async () => transfer(named(await make({ orders: ['POOL'] }))),
    ],
  ])('%s', async (_, http, code, message, provoke) => {
    expect(await said(provoke)).toEqual([http, code, message]);
  });
});

describe('Other (section 8), as far as it concerns SIMs', () => {
  it.each<[string, number, string, string, ProvokedCall]>([
    [
      'no data to export',
      409,
      'CB-09-0010',
      'No data to export.',
      () => exported({ filter: { search: 'no such device' } }),
    ],
    [
      'no data to export: none is named',
      409,
      'CB-09-0010',
      'No data to export.',
      () => exported({ iccids: [] }),
    ],
    [
      'upload format',
      400,
      'CB-09-0001',
      'Only csv, xls and xlsx files are supported.',
      () => moving('ICCID\n', 'move.txt'),
    ],
    [
      'upload size',
      413,
      'CB-09-0002',
      'The file is too large (at most 1 MB).',
      () => moving(Buffer.alloc(limits.upload.transferBytes + 1, 0x31)),
    ],
    [
      'task submission failed',
      500,
      'CB-09-0015',
      'Task submission failed.',
      async () => {
        const one = named(await make());
        const { pool } = test.database;
        await pool.query('alter table task_items add constraint refusing check (false) not valid');
        try {
          return await suspend(one);
        } finally {
          await pool.query('alter table task_items drop constraint refusing');
        }
      },
    ],
    [
      'bad file format',
      400,
      'CB-09-0006',
      'Bad file format: the file could not be read.',
      () => moving('PK\u0003\u0004: this is no workbook', 'move.xlsx'),
    ],
    [
      'invalid ICCIDs',
      400,
      'CB-01-0021',
      'Invalid ICCIDs.',
      async () => {
        const { body } = await moving('ICCID\n12\n');
        return admin.call(sim.transfer, {
          body: { target_code: 'other', upload_id: body.data?.upload_id ?? '', preview: false },
        });
      },
    ],
    [
      "'Only administrators are allowed to perform this operation'",
      403,
      'CB-01-0014',
      'Only administrators are allowed to perform this operation',
      async () =>
        operator.call(sim.saveNote, { body: { selection: named(await make()), notes: 'x', preview: false } }),
    ],
  ])('%s', async (_, http, code, message, provoke) => {
    expect(await said(provoke)).toEqual([http, code, message]);
  });

  it('rejects the second row of the same SIM', async () => {
    const { iccid } = await make();
    const { body } = await moving(`ICCID\n${iccid}\n${iccid}\n`);
    expect(body.data?.preview).toMatchObject({
      selected: 2,
      changing: 1,
      refused: [{ code: 'CB-01-0020', message: 'Duplicate SIMs.', count: 1 }],
    });
  });

  it('stores no task if its submission fails', async () => {
    const { rows } = await test.database.pool.query(
      `select count(*)::int as left from tasks t where type = 'sim-suspend'
         and not exists (select from task_items i where i.task_id = t.id)`,
    );
    expect(rows).toEqual([{ left: 0 }]);
  });
});

describe('limits of SIMs, uploads and identifiers (section 5)', () => {
  const issues = async (provoke: ProvokedCall) => {
    const { body } = await provoke();
    const { code, detail } = body.status;
    return [code, detail?.issues?.map(({ path, message }) => `${path}: ${message}`)];
  };

  it('allow tags of up to 10 characters', async () => {
    const one = named(await make());
    expect((await tag(one, ['abcdefghij'])).http).toBe(200);
    expect(await issues(() => tag(one, ['abcdefghijk']))).toEqual([
      'CB-00-0400',
      [expect.stringContaining('At most 10 characters')],
    ]);
  });

  it('allow at most 5 tags at once', async () => {
    const one = named(await make());
    expect(await issues(() => tag(one, ['a', 'b', 'c', 'd', 'e', 'f']))).toEqual([
      'CB-00-0400',
      [expect.stringContaining('Choose at most 5')],
    ]);
    expect((await tag(one, ['a', 'b', 'c', 'd', 'e'])).http).toBe(200);
  });

  it('allow at most 10 tags per SIM', async () => {
    const full = await make({ tags: ['1', '2', '3', '4', '5', '6', '7', '8', '9'] });
    expect(await said(() => tag(named(full), ['10', '11']))).toEqual([
      409,
      'CB-01-0017',
      'A SIM has at most 10 tags.',
    ]);
    expect((await tag(named(full), ['10'])).http).toBe(200);
  });

  it('allow at most 100,000 SIMs per operation', async () => {
    expect(await said(() => suspend(bare(limits.simsOfOperation + 1)))).toEqual([
      400,
      'CB-01-0002',
      'Exceeding maximum SIMs allowed (max: 100000)!',
    ]);
  });

  it('allow uploads as csv, xls or xlsx', async () => {
    const { iccid } = await make();
    const columns = `ICCID,Notes\n${iccid},seen\n`;
    expect((await info(columns)).http).toBe(200);
    expect((await info(columns, 'INFO.CSV')).http).toBe(200);
    for (const name of ['info.ods', 'info', 'info.csv.exe', 'info.pdf']) {
      expect((await said(() => info(columns, name)))[1]).toBe('CB-09-0001');
    }
    for (const name of ['info.xls', 'info.xlsx']) {
      expect((await said(() => info(columns, name)))[1]).toBe('CB-09-0040');
    }
  });

  it('allow file names of fewer than 40 characters', async () => {
    const { iccid } = await make();
    const named39 = `${'n'.repeat(35)}.csv`;
    expect((await moving(`ICCID\n${iccid}\n`, named39)).http).toBe(200);
    for (const provoke of [
      () => moving(`ICCID\n${iccid}\n`, `n${named39}`),
      () => info(`ICCID,Notes\n${iccid},seen\n`, `n${named39}`),
    ]) {
      expect(await said(provoke)).toEqual([
        400,
        'CB-09-0003',
        'The file name must have fewer than 40 characters.',
      ]);
    }
  });

  it('allow no formulas', async () => {
    expect(await said(() => info('ICCID,Notes\n8949000000000000000,=1+1\n'))).toEqual([
      400,
      'CB-09-0008',
      'The file contains formulas or their errors, such as #N/A; save it with values only (row 2).',
    ]);
  });

  it('allow ICCIDs of 18 to 22 alphanumeric characters', async () => {
    const provokedCodes = (iccid: string) => said(() => admin.call(sim.basic, { query: { iccid } }));
    for (const iccid of ['8'.repeat(18), '8'.repeat(22), '89490aBc12345678XYz']) {
      expect((await provokedCodes(iccid))[1]).toBe('CB-01-0001');
    }
    for (const iccid of ['8'.repeat(17), '8'.repeat(23), '8949000000000000-00', '']) {
      expect((await provokedCodes(iccid))[1]).toBe('CB-00-0400');
    }
  });
});
