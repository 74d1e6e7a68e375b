import { type Sql, textColumn } from '../../../platform/db/index.ts';
import type { CellRow } from './cells.rules.ts';

/** Keeps where cells stand; one that is known already is corrected. @returns how many are new or different */
export const upsertCells = async (tx: Sql, cells: readonly CellRow[]): Promise<number> => {
  // One statement must not meet a cell twice: the last word of the file counts.
  const rows = [...new Map(cells.map((row) => [row.cell, row])).values()];
  const { rowCount } = await tx.query(
    `insert into cells as c (cell, latitude, longitude, name)
     select * from unnest($1::text[], $2::float8[], $3::float8[], $4::text[])
     on conflict (cell) do update
       set latitude = excluded.latitude, longitude = excluded.longitude, name = excluded.name
       where (c.latitude, c.longitude, c.name) is distinct from (excluded.latitude, excluded.longitude, excluded.name)`,
    [
      textColumn(rows, (row) => row.cell),
      rows.map((row) => row.latitude),
      rows.map((row) => row.longitude),
      textColumn(rows, (row) => row.name),
    ],
  );
  return rowCount ?? 0;
};
