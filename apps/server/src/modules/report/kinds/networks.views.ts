import { phrase } from '@simcube/phrases';
import { networkCode, radioNames } from '../../sim/index.ts';
import { addToSum, figure, largestBars } from '../report.rules.ts';
import { type Source, series } from './source.ts';
import { usageValues, usedInMonth } from './usage-rows.views.ts';

interface Row {
  country: string | null;
  operator: string | null;
  plmn: string | null;
  radio: number;
  sims: number;
  up: number;
  down: number;
}

/** Usage by country, network and radio type. */
export const networks: Source<Row> = {
  columns: [
    ['country', 'text'],
    ['operator', 'text'],
    ['plmn', 'identifier'],
    ['radio', 'text'],
    ['sims', 'count'],
    ['up', 'bytes'],
    ['down', 'bytes'],
    ['used', 'bytes'],
  ],
  rows: (query) => ({
    text: `with ${usedInMonth}, used_by_sim as (
         select plmn, radio, sim_id, sum(up_bytes) as up, sum(down_bytes) as down from used group by plmn, radio, sim_id),
       sums as (
         select plmn, radio, count(*) filter (where up + down > 0)::int as sims, sum(up)::bigint as up,
           sum(down)::bigint as down
         from used_by_sim group by plmn, radio having sum(up + down) > 0)
       select n.country, n.operator, case when sums.plmn <> 0 then ${networkCode('sums.plmn', 'n')} end as plmn,
         sums.radio, sums.sims, sums.up, sums.down
       from sums left join networks n on n.plmn = sums.plmn
       order by n.country nulls last, sums.up + sums.down desc, sums.plmn, sums.radio`,
    values: usageValues(query),
  }),
  cells: ({ country, operator, plmn, radio, sims, up, down }, formatter) => [
    ...[
      formatter.country(country),
      operator,
      plmn,
      radioNames(formatter.language)[radio - 1] ?? null,
      sims,
      up,
      down,
      up + down,
    ],
  ],
  tally: ({ language, country }) => {
    const byCountry = new Map<string, number>();
    const countries = new Set<string>();
    const known = new Set<string>();
    return {
      add: (row) => {
        addToSum(byCountry, country(row.country), row.up + row.down);
        if (row.country) countries.add(row.country);
        if (row.plmn) known.add(row.plmn);
      },
      figures: () => [
        figure('countries', 'count', countries.size),
        figure('networks', 'count', known.size),
        figure(
          'used',
          'bytes',
          [...byCountry.values()].reduce((sum, bytes) => sum + bytes, 0),
        ),
      ],
      series: () => series('bytes', largestBars(byCountry, phrase(language, 'report.bars.others'))),
    };
  },
};
