import { setImmediate as nextTurn } from 'node:timers/promises';
import type { HeatmapCell } from '@simcube/contract/heatmap';
import { radioTypes } from '@simcube/contract/sim';
import { dashboardDays } from '../../platform/clock/business-day.ts';
import type { Sql } from '../../platform/db/index.ts';
import { findTown } from '../place/index.ts';
import { networkCode } from '../sim/index.ts';
import type { Period } from './heatmap.rules.ts';
import { plmnOf, radioOf, storedCountry } from './heatmap.views.ts';

export interface CellsQuery extends Period {
  orgId: number;
  country: string;
  /** MCC and MNC. */
  network?: string | undefined;
  radio?: (typeof radioTypes)[number] | undefined;
}

const cellsPerTurn = 500;

interface Row extends Omit<HeatmapCell, 'radios' | 'last_seen_at' | 'town'> {
  radios: number[];
  last_seen_at: Date;
  total: number;
}

/** Cells of a country in which records of the period ended, most usage first; read from the records. */
export const listCells = async (
  sql: Sql,
  query: CellsQuery,
  limit: number,
): Promise<{ cells: HeatmapCell[]; total: number }> => {
  const { orgId, from, to, country, network } = query;
  const { rows } = await sql.query<Row>(
    `with seen as (
       select c.cell, c.plmn, ${networkCode('c.plmn', 'n')} as network, n.operator, sum(c.up_bytes + c.down_bytes)::bigint as usage,
         coalesce(array_agg(distinct c.radio) filter (where c.radio between 1 and ${radioTypes.length}), '{}') as radios,
         count(distinct c.sim_id)::int as sims, max(c.ended_at) as last_seen_at
       from cdrs c left join networks n on n.plmn = c.plmn
       where c.org_id = $1 and c.ended_at >= $2 and c.ended_at < $3 and c.cell is not null
         and coalesce(n.country, '') = $4
         and ($5 = -1 or c.plmn = $5) and ($6 = -1 or c.radio = $6)
       group by c.cell, c.plmn, n.mcc, n.mnc, n.operator),
     shown as (select * from seen order by usage desc, cell, plmn limit $7)
     select s.cell, split_part(s.network, '-', 1) as mcc, split_part(s.network, '-', 2) as mnc, s.operator, s.radios, s.usage, s.sims, s.last_seen_at, p.latitude, p.longitude, t.total
     from (select count(*)::int as total from seen) t
     left join (shown s left join cells p on p.cell = s.cell) on true
     order by s.usage desc, s.cell, s.plmn`,
    [
      orgId,
      dashboardDays.startOf(from),
      dashboardDays.endOf(to),
      storedCountry(country),
      network === undefined ? -1 : plmnOf(network),
      radioOf(query),
      limit,
    ],
  );
  const cells: HeatmapCell[] = [];
  for (const { total: _, radios, last_seen_at: at, ...row } of rows.filter(({ cell }) => cell !== null)) {
    // Finding towns for 100,000 cells takes seconds of this thread, so other work gets its turn in between.
    if (cells.length % cellsPerTurn === cellsPerTurn - 1) await nextTurn();
    cells.push({
      ...row,
      radios: radios.flatMap((radio) => radioTypes[radio - 1] ?? []),
      last_seen_at: at.toISOString(),
      town: await townOf(row),
    });
  }
  return { cells, total: rows[0]?.total ?? 0 };
};

const townOf = async ({
  latitude,
  longitude,
}: Pick<Row, 'latitude' | 'longitude'>): Promise<string | null> =>
  latitude === null || longitude === null ? null : (await findTown({ latitude, longitude })).town;
