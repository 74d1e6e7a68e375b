import { Readable } from 'node:stream';
import { cells } from '@simcube/network-sim';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../platform/db/index.ts';
import { testDatabase } from '../../../testing/database.ts';
import { importCells } from './cells.service.ts';

let database: Database;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.close());

const take = async (text: string) => {
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
    expect((await take(file)).report).toEqual({ changed: 2, unchanged: 0, refused: 0 });
    expect((await take(file)).report).toEqual({ changed: 0, unchanged: 2, refused: 0 });
    expect((await take('Name,CELL,longitude,latitude\nParis,ecgi-2,2.36,48.85\n')).report.changed).toBe(1);
    const { rows } = await database.pool.query('select * from cells order by cell');
    expect(rows).toEqual([
      { cell: 'ecgi-1', latitude: 40.4168, longitude: -3.7038, name: 'Madrid' },
      { cell: 'ecgi-2', latitude: 48.85, longitude: 2.36, name: 'Paris' },
    ]);
  });

  it('are rejected line by line, and the file without its columns', async () => {
    const { report, refusals } = await take(
      'cell,latitude,longitude\n,1,1\nx,91,0\ny,0,181\nz,north,0\nshort\ngood,-90,180\n',
    );
    expect(report).toEqual({ changed: 1, unchanged: 0, refused: 5 });
    expect(refusals.map(({ line }) => line)).toEqual([2, 3, 4, 5, 6]);
    await expect(take('cell,lat,lon\na,1,2\n')).rejects.toThrow('latitude, longitude');
    expect((await take('')).report.changed).toBe(0);
  });

  it('exist for all cells of the simulator', async () => {
    const lines = cells.map(
      ({ key, latitude, longitude, city }) => `${key},${latitude},${longitude},${city.name}`,
    );
    const { report } = await take(`cell,latitude,longitude,name\n${lines.join('\n')}\n`);
    expect(report).toEqual({ changed: cells.length, unchanged: 0, refused: 0 });
  });
});
