import { type Language, limits } from '@simcube/contract';
import type { FileFormat } from '@simcube/contract/task';
import { phrase } from '@simcube/phrases';
import type { Sql } from '../../platform/db/index.ts';
import { type Cell, localTimeFormatter, tableFile } from '../../platform/files/index.ts';
import type { FileResponse } from '../../platform/http/index.ts';
import { radioName } from '../sim/index.ts';
import { requireRows } from '../task/index.ts';
import { type CellsQuery, listCells } from './cells.views.ts';

const columns = ['cell', 'town', 'operator', 'plmn', 'radio', 'total', 'sims'] as const;

/**
 * All cells of a country with usage.
 * @throws Failure CB-09-0010, CB-09-0011: limits of a response
 */
export const cellsFile = async (
  sql: Sql,
  query: CellsQuery & { format: FileFormat; language: Language; timeZone: string },
): Promise<FileResponse> => {
  const { country, from, to, format, language, timeZone } = query;
  const { cells, total } = await listCells(sql, query, limits.exportRows);
  requireRows(total);
  const local = localTimeFormatter(timeZone);
  const heading = (column: (typeof columns)[number] | 'last_seen' | 'latitude' | 'longitude') =>
    phrase(language, `files.columns.${column}`);
  return tableFile({
    name: `cells-${country}-${from}-${to}`,
    format,
    heading: [
      ...columns.map(heading),
      `${heading('last_seen')} (${timeZone})`,
      heading('latitude'),
      heading('longitude'),
    ],
    rows: cells.map((one): Cell[] => [
      one.cell,
      one.town,
      one.operator,
      `${one.mcc}-${one.mnc}`,
      one.radios.map((radio) => radioName(language, radio)).join(', '),
      one.usage,
      one.sims,
      local(one.last_seen_at),
      one.latitude,
      one.longitude,
    ]),
  });
};
