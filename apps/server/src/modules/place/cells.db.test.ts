import { Readable } from 'node:stream';
import { cells } from '@simcube/network-sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../platform/db/index.ts';
import { testDatabase } from '../../testing/database.ts';
import { assignMissingHexagons, importCells } from './cells.service.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const importText = async (text: string) => {
  const refusals: { line: number; reason: string }[] = [];
  const report = await importCells({
    pool: database.pool,
    file: Readable.from([Buffer.from(text)]),
    onRefused: (refusal) => refusals.push(refusal),
  });
  return { report, refusals };
};

describe('places of cells', () => {
  it('are imported once, and corrected by a later file', async () => {
    const file = 'cell,latitude,longitude,name\necgi-1,40.4168,-3.7038,Madrid\necgi-2,48.85,2.35,\n';
    expect((await importText(file)).report).toEqual({ changed: 2, unchanged: 0, refused: 0 });
    expect((await importText(file)).report).toEqual({ changed: 0, unchanged: 2, refused: 0 });
    expect((await importText('Name,CELL,longitude,latitude\nParis,ecgi-2,2.36,48.85\n')).report.changed).toBe(
      1,
    );
    const { rows } = await database.pool.query(
      'select cell, latitude, longitude, name from cells order by cell',
    );
    expect(rows).toEqual([
      { cell: 'ecgi-1', latitude: 40.4168, longitude: -3.7038, name: 'Madrid' },
      { cell: 'ecgi-2', latitude: 48.85, longitude: 2.36, name: 'Paris' },
    ]);
  });

  it('are accepted for all cells that usage records may name, even with 128 characters', async () => {
    const line = (length: number) => `${'c'.repeat(length)},1,2`;
    const { report, refusals } = await importText(`cell,latitude,longitude\n${line(128)}\n${line(129)}\n`);
    expect(report).toEqual({ changed: 1, unchanged: 0, refused: 1 });
    expect(refusals.map(({ line: at }) => at)).toEqual([3]);
  });

  it('are rejected line by line, and a file without the columns as a whole', async () => {
    const { report, refusals } = await importText(
      'cell,latitude,longitude\n,1,1\nx,91,0\ny,0,181\nz,north,0\nshort\na,1,2,here\ngood,-90,180\n',
    );
    expect(report).toEqual({ changed: 1, unchanged: 0, refused: 6 });
    expect(refusals).toEqual([
      { line: 2, reason: 'cell: This field is required' },
      { line: 3, reason: 'latitude: Must be at most 90' },
      { line: 4, reason: 'longitude: Must be at most 180' },
      { line: 5, reason: 'latitude: The format is not valid' },
      { line: 6, reason: 'latitude: This field is required; longitude: This field is required' },
      { line: 7, reason: 'it has 4 columns, the header 3' },
    ]);
    await expect(importText('cell,x,y\na,1,2\n')).rejects.toThrow('latitude, longitude');
    await expect(importText('')).rejects.toThrow('The file has no header line');
    await expect(importText('cell;latitude;longitude\na;1;2\n')).rejects.toThrow('separated by semicolons');
    await expect(importText('PK\x03\x04\x14\0"[Content_Types].xml\n\n')).rejects.toThrow('Excel workbook');
  });

  it('are imported from an export of OpenCelliD, with the digits of the network', async () => {
    await database.pool.query(
      `insert into networks (plmn, mcc, mnc) values (214007, '214', '07'), (310410, '310', '410'), (310030, '310', '030')
       on conflict do nothing`,
    );
    const head =
      'radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal\n';
    const line = (radio: string, mcc: number, net: number, cell: number) =>
      `${radio},${mcc},${net},1001,${cell},0,-3.7,40.4,1000,5,1,1459000000,1459000000,0\n`;
    const { report } = await importText(
      head +
        line('GSM', 214, 7, 52) +
        line('UMTS', 214, 7, 5 * 65536 + 53) +
        line('LTE', 310, 30, 20481) +
        line('NR', 310, 5, 68719476735) +
        line('CDMA', 310, 410, 1),
    );
    expect(report).toEqual({ changed: 4, unchanged: 0, refused: 1 });
    const { rows } = await database.pool.query(
      'select cell from cells where cell ~ \'^(214|310)\' order by cell collate "C"',
    );
    expect(rows.map(({ cell }) => cell)).toEqual([
      '214-07-1001-52',
      '214-07-1001-53',
      '310-005-68719476735',
      '310-030-20481',
    ]);
  });

  it.each([
    [
      'that is not UTF-8',
      Buffer.from('cell,lat,lon,name\nbroken-1,1,1,here\nbroken-2,1,1,M\xe1laga\n', 'latin1'),
    ],
    [
      'with an open quote',
      Buffer.from('cell,lat,lon,name\nbroken-1,1,1,here\nbroken-2,1,1,"there\nbroken-3,1,1,there\n'),
    ],
    [
      'with a line that has no end',
      Buffer.from(`cell,lat,lon,name\nbroken-1,1,1,here\n${'x'.repeat(10_000)}\nbroken-2,1,1,here\n`),
    ],
  ])('of a file %s are not imported at all, and its line is named', async (_, file) => {
    const refused = importCells({
      pool: database.pool,
      file: Readable.from([file]),
      onRefused: () => undefined,
    });
    await expect(refused).rejects.toThrow(/^Line 3 /);
    const { rows } = await database.pool.query("select cell from cells where cell like 'broken%'");
    expect(rows).toEqual([]);
  });

  it('get their hexagons if they were imported before there were maps', async () => {
    await importText('cell,lat,lon\nold,40.4,-3.7\n');
    const hexagon = async () =>
      (await database.pool.query("select hexagon from cells where cell = 'old'")).rows[0]?.hexagon;
    const wanted = await hexagon();
    await database.pool.query("update cells set hexagon = null where cell = 'old'");
    await assignMissingHexagons(database.pool, new AbortController().signal);
    expect([typeof wanted, await hexagon()]).toEqual(['number', wanted]);
  });

  it('exist for all cells of the simulator', async () => {
    const lines = cells.map(
      ({ key, latitude, longitude, city }) => `${key},${latitude},${longitude},${city.name}`,
    );
    const { report } = await importText(`cell,latitude,longitude,name\n${lines.join('\n')}\n`);
    expect(report).toEqual({ changed: cells.length, unchanged: 0, refused: 0 });
  });
});
