import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import {
  combinePacks,
  daysPerGroup,
  type HexagonColumns,
  packHexagons,
} from '../../apps/server/src/modules/heatmap/hexagon-packs.rules.ts';
import { withClient } from './cluster.ts';
import type { Fleet } from './fleet.ts';
import type { Run } from './run.ts';
import { callNote, measureCall, type TimedCall, withConsole } from './timed-calls.ts';

const days = 31;
const cells = 50_000;
const networks = 40;

/** The calls of the heatmap for a month of a fleet whose SIMs use fifty thousand cells all over the world. */
export const heatmap = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet, cluster } = await run.bigFleet();
  progress('filling a month of the heatmap');
  const rows = await fill(fleet);
  await cluster.settle();
  await withConsole(run, { fleet, name: 'heatmap' }, async (client) => {
    for (const call of calls()) await measureCall(run, client, { call, budget: { ms: 150, bytes: 300_000 } });
  });
  run.note(`${callNote} Bytes of the response uncompressed.`);
  run.note(
    `${cells.toLocaleString('en-US')} cells on ${days} days are ${rows.toLocaleString('en-US')} rows; ` +
      `${options.sims.toLocaleString('en-US')} SIMs.`,
  );
};

const calls = (): TimedCall[] => {
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  const period = { from: day(days - 1), to: day(0), metric: 'usage' };
  const box = (west: number, south: number, east: number, north: number) => ({
    west: String(west),
    south: String(south),
    east: String(east),
    north: String(north),
  });
  const { figures, hexagons } = endpoints.heatmap;
  const world = { ...period, ...box(-180, -85, 180, 85) };
  const continent = { ...period, ...box(-25, 33, 45, 71) };
  const country = { ...period, ...box(5, 47, 16, 55) };
  return [
    { name: 'countries and operators', endpoint: figures, request: () => ({ query: period }) },
    { name: 'hexagons of the world', endpoint: hexagons, request: () => ({ query: world }) },
    { name: 'hexagons of a continent', endpoint: hexagons, request: () => ({ query: continent }) },
    { name: 'hexagons of a country', endpoint: hexagons, request: () => ({ query: country }) },
  ];
};

/** H3 base cells that are pentagons lack some digits. */
const pentagons = '4, 14, 24, 38, 49, 58, 63, 72, 83, 97, 107, 117';

const fill = (fleet: Fleet): Promise<number> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { orgId } = fleet;
    await client.query('set synchronous_commit = off');
    await client.query('select setseed(0.5)');
    // Cells at the finest resolution: a base cell and six digits from 0 to 6.
    await client.query(
      `create temp table bench_cells as
       select n, base.cell << 18 | digits.number as hexagon, 200001 + n % ${networks} as plmn, (1 + n % 3) as radio
       from generate_series(1, ${cells}) n
       cross join lateral (select array_agg(b) as list from generate_series(0, 121) b where b not in (${pentagons})) bases
       cross join lateral (select bases.list[1 + floor(random() * 110 + n * 0)::int] as cell) base
       cross join lateral (select sum(floor(random() * 7 + n * 0)::int << (3 * d))::int as number
         from generate_series(0, 5) d) digits`,
    );
    const { rows } = await client.query<HexagonColumns & { resolution: number; plmn: number; radio: number }>(
      `select resolution, plmn, radio, json_agg(hexagon order by hexagon) as hexagons,
         json_agg(20000000 * cells order by hexagon) as bytes, json_agg(20 * cells order by hexagon) as sims,
         json_agg(60 * cells order by hexagon) as sessions
       from (select r as resolution, coalesce(plmn, -1) as plmn, coalesce(radio, -1) as radio,
           hexagon >> (3 * (6 - r)) as hexagon, count(*) as cells
         from bench_cells, generate_series(2, 5) r
         group by grouping sets ((r, hexagon >> (3 * (6 - r))), (r, hexagon >> (3 * (6 - r)), plmn, radio))) as counted
       group by 1, 2, 3`,
    );
    // All days are alike.
    await client.query(
      `with packs as (select * from unnest($2::smallint[], $3::integer[], $4::smallint[], $5::bytea[], $6::bytea[])
           as v (resolution, plmn, radio, packed, together)),
         days as (select (now() at time zone 'UTC')::date - d as day_on from generate_series(0, ${days - 1}) d)
       insert into heatmap_hexagons (org_id, resolution, days, day_on, plmn, radio, packed)
       select $1::bigint, resolution, 1, day_on, plmn, radio, packed from packs, days
       union all select $1::bigint, resolution, ${daysPerGroup}, day_on, plmn, radio, together from packs, days
       where (day_on - date '1970-01-01') % ${daysPerGroup} = 0
         and day_on + ${daysPerGroup} <= (now() at time zone 'UTC')::date`,
      [
        orgId,
        rows.map(({ resolution }) => resolution),
        rows.map(({ plmn }) => plmn),
        rows.map(({ radio }) => radio),
        rows.map(packHexagons),
        rows.map((row) => combinePacks(new Array(daysPerGroup).fill(packHexagons(row)))),
      ],
    );
    await client.query(
      `insert into heatmap_counts (org_id, day_on, country, plmn, radio, sims, sessions)
       select $1, (now() at time zone 'UTC')::date - d, 'N' || n, 200000 + n, -1, 20000, 60000
       from generate_series(0, ${2 * days}) d, generate_series(1, ${networks}) n on conflict do nothing`,
      [orgId],
    );
    await client.query(
      `insert into org_usage_daily (org_id, day_on, plmn, radio, up_bytes, down_bytes, records)
       select $1, (now() at time zone 'UTC')::date - d, 200000 + n, radio, 40000000, 360000000, 1000
       from generate_series(0, ${2 * days}) d, generate_series(1, ${networks}) n, generate_series(1, 3) radio
       on conflict do nothing`,
      [orgId],
    );
    await client.query(
      `insert into heatmap_days (org_id, day_on, records, computed_at, took_ms)
       select org_id, day_on, sum(records), now(), 0 from org_usage_daily where org_id = $1 group by 1, 2
       on conflict do nothing`,
      [orgId],
    );
    await client.query('vacuum analyze heatmap_hexagons, heatmap_counts, heatmap_days, org_usage_daily');
    return rows.length * days;
  });
