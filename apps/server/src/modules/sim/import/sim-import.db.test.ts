import { Readable } from 'node:stream';
import { limits } from '@simcube/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { ImportRefused, importSims, type Refusal } from './sim-import.service.ts';

let database: Database;
const clock = new FixedClock('2026-11-21T12:00:00Z');

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(
    `insert into organisations (code, name, country) values ('acme', 'Acme Mobility', 'DE'), ('other', 'Other Limited', 'FR')`,
  );
});
afterAll(() => database.close());
beforeEach(() =>
  database.pool.query('truncate sims, sim_live, org_sim_counts, outbox, bundle_orders cascade'),
);

const take = async (text: string | Buffer) => {
  const refusals: Refusal[] = [];
  const file = Readable.from([Buffer.from(text)]);
  const report = await importSims({
    pool: database.pool,
    clock,
    file,
    onRefused: (refusal) => refusals.push(refusal),
  });
  return { ...report, refusals };
};

const state = async () => {
  const query = async (text: string) => (await database.pool.query(text)).rows;
  return {
    sims: await query('select * from sims order by iccid'),
    live: await query('select * from sim_live order by sim_id'),
    counts: await query('select * from org_sim_counts order by 1, 2'),
    facts: await query('select topic, org_id, payload from outbox order by xact, id'),
  };
};

const header = 'iccid,imsi,organisation_code,msisdn,tags,lifecycle\n';
const iccid = (number: number) => `8986${String(number).padStart(15, '0')}`;

describe('SIM import', () => {
  it('stores every field of a SIM', async () => {
    const { accepted } = await take(
      '\uFEFFICCID,imsi,msisdn,imei,organisation_code,device_name,notes,tags,delivery_note_number,shipment_on,' +
        'chip_grade,technology,lifecycle,apn,ip,pre_activation_ends_at\r\n' +
        '8986001230000451882,262021234518823,4915201234567,490154203237518,acme,"Truck, ""2204""",' +
        '"two\nlines\\ and\ttab",fleet; eu|fleet,DN-20419,2026-03-14,industrial,OTA BIP,active,iot.acme,10.64.12.9,' +
        '2026-12-01T00:00:00Z\r\n',
    );
    expect(accepted).toBe(1);
    const { sims, live, counts, facts } = await state();
    expect(sims[0]).toMatchObject({
      iccid: '8986001230000451882',
      imsi: '262021234518823',
      msisdn: '4915201234567',
      last_imei: '490154203237518',
      device_name: 'Truck, "2204"',
      notes: 'two\nlines\\ and tab',
      tags: ['fleet', 'eu'],
      delivery_note_number: 'DN-20419',
      shipment_on: '2026-03-14',
      chip_grade: 'industrial',
      technology: 'OTA BIP',
      lifecycle: 23,
      apn: 'iot.acme',
      fixed_ip: '10.64.12.9',
      pre_activation_ends_at: new Date('2026-12-01T00:00:00Z'),
      activated_at: clock.now(),
    });
    expect(live).toMatchObject([{ sim_id: sims[0].id, org_id: sims[0].org_id, used_bytes: 0 }]);
    expect(counts).toEqual([{ org_id: sims[0].org_id, lifecycle: 23, sims: 1 }]);
    expect(facts).toEqual([
      { topic: 'sim.imported', org_id: sims[0].org_id, payload: { count: 1, simIds: [] } },
    ]);
  });

  it('says in its fact which SIMs have a pre-activation that ends', async () => {
    const withPeriod = header.replace('\n', ',pre_activation_ends_at\n');
    await take(
      `${withPeriod}${iccid(1)},100000001,acme,,,,2026-12-01T00:00:00Z\n${iccid(2)},100000002,acme,,,,\n` +
        `${iccid(3)},100000003,acme,,,active,2026-12-01T00:00:00Z\n`,
    );
    const { sims, facts } = await state();
    expect(facts).toMatchObject([{ payload: { count: 3, simIds: [sims[0].id] } }]);
  });

  it('changes nothing when the same file is imported again', async () => {
    const file = `${header}${iccid(1)},100000001,acme,,,\n${iccid(2)},100000002,other,,a;b,paused\n${iccid(3)},1,acme,,,\n`;
    expect(await take(file)).toMatchObject({ accepted: 2, duplicate: 0, refused: 1 });
    const before = await state();
    expect(await take(file)).toMatchObject({ accepted: 0, duplicate: 2, refused: 1 });
    expect(await state()).toEqual(before);
  });

  it('refuses a stored SIM of which the row states something else, and takes its ICCID in either case', async () => {
    const wide = 'iccid,imsi,organisation_code,msisdn,ip,chip_grade,device_name,shipment_on\n';
    const lettered = '8986F0000000000000AB';
    const row = `${lettered},100000001,acme,4915200001,2001:DB8::0001,consumer,Lamp,2026-03-14\n`;
    expect(await take(wide + row)).toMatchObject({ accepted: 1 });
    expect(await take(wide + row)).toMatchObject({ duplicate: 1, refused: 0 });
    const fewer = `${lettered.toLowerCase()},100000001,acme,,,,Renamed,\n`;
    expect(await take(wide + fewer)).toMatchObject({ duplicate: 1, refused: 0 });
    const others = [
      `${lettered},100000001,acme,4915200002,,,,\n`,
      `${lettered},100000001,acme,,2001:db8::2,,,\n`,
      `${lettered},100000001,acme,,,automotive,,\n`,
      `${lettered},100000001,acme,,,,,2026-03-15\n`,
    ];
    const before = await state();
    const { refusals, ...report } = await take(wide + others.join(''));
    expect(report).toMatchObject({ duplicate: 0, refused: 4 });
    expect(refusals.map(({ reason }) => reason)).toEqual([
      'msisdn: the SIM is stored with 4915200001',
      'ip: the SIM is stored with 2001:db8::1',
      'chip_grade: the SIM is stored with consumer',
      'shipment_on: the SIM is stored with 2026-03-14',
    ]);
    expect(await state()).toEqual(before);
  });

  it('reports bad lines with number and reason, and imports the others', async () => {
    await take(`${header}${iccid(1)},100000001,acme,4915200001,,\n`);
    const tags = Array.from({ length: limits.tags.perSim + 1 }, (_, index) => `t${index}`).join(';');
    const { refusals, ...report } = await take(
      [
        header.trim(),
        `${iccid(2)},100000002,acme,,,`,
        `short,100000003,acme,,,`,
        `${iccid(3)},100000003,nobody,,,`,
        `${iccid(1)},100000009,acme,,,`,
        `${iccid(1)},100000001,other,,,`,
        `${iccid(4)},100000001,acme,,,`,
        `${iccid(5)},100000005,acme,4915200001,,`,
        `${iccid(6)},100000002,acme,,,`,
        `${iccid(2)},100000002,acme,,,`,
        `${iccid(7)},100000007,acme,,${tags},`,
        `${iccid(8)},100000008,acme,,elevenchars,`,
        `${iccid(9)},100000010,acme,,,sleeping`,
        'too,few',
        `${iccid(10)},100000011,acme,,,active,one too many`,
        '',
        `${iccid(11)},100000012,acme,,a\0b,`,
        `${iccid(12)},100000013,acme,,,`,
        `8.98600E+18,100000014,acme,,,`,
        `${iccid(13)},"2,62021E+14",acme,,,`,
      ].join('\n'),
    );
    expect(report).toEqual({ accepted: 2, duplicate: 1, refused: 15 });
    const reasons = new Map(refusals.map(({ line, reason }) => [line, reason]));
    expect([...reasons.keys()].sort((a, b) => a - b)).toEqual([
      3, 4, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17, 19, 20,
    ]);
    expect(reasons.get(3)).toMatch(/^iccid: /);
    expect(reasons.get(4)).toContain('there is no organisation nobody');
    expect(reasons.get(5)).toContain('another IMSI');
    expect(reasons.get(6)).toContain('another organisation');
    expect(reasons.get(7)).toMatch(/^imsi: another SIM/);
    expect(reasons.get(8)).toMatch(/^msisdn: another SIM/);
    expect(reasons.get(9)).toMatch(/^imsi: another SIM/);
    expect(reasons.get(11)).toBe(`tags: Choose at most ${limits.tags.perSim}`);
    expect(reasons.get(13)).toMatch(/^lifecycle: /);
    expect(reasons.get(19)).toBe(
      'iccid: a spreadsheet has lost digits of 8.98600E+18; format the column as text there',
    );
    expect(reasons.get(20)).toMatch(/^imsi: a spreadsheet/);
    expect(reasons.get(17)).toBe('tags: This text is damaged. Please type it again.');
  });

  it('takes the empty cells and rows that a spreadsheet leaves as nothing', async () => {
    const { refusals, ...report } = await take(
      [
        `${header.trim()},,`,
        `${iccid(1)},100000001,acme,,,,,`,
        ',,,,,,,',
        `${iccid(2)},100000002,acme,,,`,
        `${iccid(3)},100000003,acme,,,, ,over`,
        ' , ,',
      ].join('\r\n'),
    );
    expect(report).toEqual({ accepted: 2, duplicate: 0, refused: 1 });
    expect(refusals).toEqual([{ line: 5, reason: 'it has 8 columns, the header 6' }]);
  });

  it('loses one line to a quotation mark that does not close, and none of those below it', async () => {
    const lines = Array.from({ length: 500 }, (_, index) => `${iccid(index)},${100_000 + index},acme,,,`);
    lines[200] = `${iccid(200)},100200,acme,,"a,`;
    const { refusals, ...report } = await take(header + lines.join('\r\n'));
    expect(report).toEqual({ accepted: 499, duplicate: 0, refused: 1 });
    expect(refusals).toEqual([{ line: 202, reason: 'it is too long, or a quotation mark is not closed' }]);
  });

  it('names a record of several lines by its first and its last one', async () => {
    const notes = `${header.replace('tags', 'notes')}${iccid(1)},100001,acme,,"one\ntwo",\n`;
    const { refusals } = await take(`${notes}short,100002,acme,,"one\ntwo\nthree",\n`);
    expect(refusals).toMatchObject([{ line: 4, reason: expect.stringMatching(/^iccid: .* \(to line 6\)$/) }]);
  });

  it('takes nothing from a file with a header alone', async () => {
    expect(await take(header)).toMatchObject({ accepted: 0, duplicate: 0, refused: 0 });
  });

  it.each([
    ['', 'no header line'],
    ['\ufeff\r\n', 'no header line'],
    ['iccid,imsi\n', 'lacks columns: organisation_code'],
    ['iccid,imsi,organisation_code,colour\n', '"colour"'],
    ['iccid,iccid,imsi,organisation_code\n', 'twice'],
    ['\x7fELF\x02\x01\n\n', 'unknown columns'],
    ['iccid;imsi;organisation_code\n', 'separated by semicolons'],
    ['PK\x03\x04\x14\0\x06"[Content_Types].xml\n\n', 'Excel workbook'],
  ])('refuses the whole file with the header %j', async (file, problem) => {
    await expect(take(file)).rejects.toThrow(ImportRefused);
    await expect(take(file)).rejects.toThrow(problem);
  });

  it('takes as an APN what a network can name, without blanks and what is invisible', async () => {
    const apns = ['iot acme', 'iot\u00a0acme', 'iot\u200b.acme', 'iot..acme', '\u00a0IoT-1.acme_x\u00a0'];
    const lines = apns.map((apn, index) => `${iccid(60 + index)},1000000${60 + index},acme,${apn}`);
    const { accepted, refusals } = await take(['iccid,imsi,organisation_code,apn', ...lines].join('\n'));
    expect(accepted).toBe(1);
    expect(refusals.map(({ line, reason }) => [line, /^apn: /.test(reason)])).toEqual([
      [2, true],
      [3, true],
      [4, true],
      [5, true],
    ]);
    expect((await state()).sims.map(({ apn }) => apn)).toEqual(['IoT-1.acme_x']);
  });

  it('never fails on random input: each line is accepted, a duplicate, or refused', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.constantFrom(
        'acme',
        'other',
        iccid(1),
        '262021234518823',
        '"',
        '""',
        ',',
        '\t',
        '\\N',
        '\\.',
        '{',
        '}',
        '\0',
      ),
      fc.constantFrom(
        '2026-02-30',
        '0000-01-01',
        '9999-99-99',
        '::1',
        '::ffff:1.2.3.4',
        'fe80::1%eth0',
        '010.1.1.1',
      ),
      fc.integer({ min: 0, max: 99 }).map(iccid),
      fc.nat({ max: 10 ** 12 }).map((number) => String(number + 100_000)),
    );
    const valid = fc.record({
      iccid: fc.integer({ min: 0, max: 99 }).map(iccid),
      imsi: fc.integer({ min: 100_000, max: 100_099 }).map(String),
      organisation_code: fc.constantFrom('acme', 'other'),
    });
    const columns = [
      'iccid',
      'imsi',
      'organisation_code',
      'tags',
      'notes',
      'ip',
      'shipment_on',
      'pre_activation_ends_at',
    ];
    const line = fc.oneof(
      fc
        .tuple(valid, fc.array(cell, { minLength: 5, maxLength: 5 }))
        .map(([sim, rest]) =>
          [...Object.values(sim), ...rest.map((text) => `"${text.replaceAll('"', '""')}"`)].join(','),
        ),
      fc.array(cell, { maxLength: 10 }).map((cells) => cells.join(',')),
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
    );
    const counted = async () => {
      const { rows } = await database.pool.query(
        `select (select count(*) from sims)::int as sims, (select count(*) from sim_live)::int as live,
           (select coalesce(sum(sims), 0) from org_sim_counts)::int as counted`,
      );
      return rows[0];
    };
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 30 }), async (lines) => {
        const before = await counted();
        const { accepted, refusals, refused } = await take(
          Buffer.from(`${columns.join(',')}\n${lines.join('\n')}`),
        );
        expect(refusals).toHaveLength(refused);
        const sims = before.sims + accepted;
        expect(await counted()).toEqual({ sims, live: sims, counted: sims });
      }),
      { numRuns: 150 },
    );
  });

  it('writes large files in complete chunks', async () => {
    const lines = Array.from({ length: 12_000 }, (_, index) => `${iccid(index)},${100_000 + index},acme,,,`);
    expect(await take(header + lines.join('\n'))).toMatchObject({ accepted: 12_000, refused: 0 });
    const { facts, counts } = await state();
    expect(facts.map(({ payload }) => payload.count)).toEqual([5000, 5000, 2000]);
    expect(counts).toMatchObject([{ lifecycle: 10, sims: 12_000 }]);
  });

  it('loses and repeats nothing with two concurrent imports of the same SIMs', async () => {
    const lines = Array.from({ length: 3000 }, (_, index) => `${iccid(index)},${100_000 + index},acme,,,`);
    const reports = await Promise.all([
      take(header + lines.join('\n')),
      take(header + lines.reverse().join('\n')),
    ]);
    expect(reports.reduce((sum, report) => sum + report.accepted, 0)).toBe(3000);
    expect(reports.reduce((sum, report) => sum + report.duplicate, 0)).toBe(3000);
    const { sims, counts } = await state();
    expect(sims).toHaveLength(3000);
    expect(counts).toMatchObject([{ sims: 3000 }]);
  });
});
