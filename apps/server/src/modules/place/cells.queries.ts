import { int4Column, type Sql, textColumn } from '../../platform/db/index.ts';
import type { CellRow, NetworkCodes } from './cells.rules.ts';
import { hexagonOf } from './hexagon.rules.ts';

export const findNetworkCodes = async (sql: Sql): Promise<NetworkCodes> => {
  const { rows } = await sql.query<{ plmn: number; mcc: string; mnc: string }>(
    'select plmn, mcc, mnc from networks',
  );
  return new Map(rows.map(({ plmn, ...code }) => [plmn, code]));
};

/** Stores the coordinates of cells; known cells are updated. @returns how many are new or changed */
export const upsertCells = async (tx: Sql, cells: readonly CellRow[]): Promise<number> => {
  // A statement must not contain a cell twice: the last line of the file counts.
  const rows = [...new Map(cells.map((row) => [row.cell, row])).values()];
  const { rowCount } = await tx.query(
    `insert into cells as c (cell, latitude, longitude, name, hexagon)
     select * from unnest($1::text[], $2::float8[], $3::float8[], $4::text[], $5::integer[])
     on conflict (cell) do update set latitude = excluded.latitude, longitude = excluded.longitude,
         name = excluded.name, hexagon = excluded.hexagon
       where (c.latitude, c.longitude, c.name) is distinct from (excluded.latitude, excluded.longitude, excluded.name)`,
    [
      textColumn(rows, (row) => row.cell),
      rows.map((row) => row.latitude),
      rows.map((row) => row.longitude),
      textColumn(rows, (row) => row.name),
      int4Column(rows, hexagonOf),
    ],
  );
  return rowCount ?? 0;
};

/** Sets missing hexagons of cells, at most `limit`. @returns how many were set */
export const setMissingHexagons = async (tx: Sql, limit: number): Promise<number> => {
  const { rows } = await tx.query<{ cell: string; latitude: number; longitude: number }>(
    'select cell, latitude, longitude from cells where hexagon is null limit $1 for update skip locked',
    [limit],
  );
  await tx.query(
    `update cells c set hexagon = v.hexagon from unnest($1::text[], $2::integer[]) as v (cell, hexagon)
     where c.cell = v.cell`,
    [textColumn(rows, (row) => row.cell), int4Column(rows, hexagonOf)],
  );
  return rows.length;
};
