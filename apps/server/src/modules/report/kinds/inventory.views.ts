import { type Lifecycle, lifecycles } from '@simcube/contract/sim';
import { phrase } from '@simcube/phrases';
import { lifecycleOf } from '../../sim/index.ts';
import { addToSum, figure } from '../report.rules.ts';
import { type Source, series } from './source.ts';
import { bundleAtEnd, existsSince } from './usage-rows.views.ts';

interface Row {
  iccid: string;
  imsi: string;
  msisdn: string | null;
  device_name: string | null;
  /** The status before the next change; null if there was none since. */
  then: Lifecycle | null;
  /** A number of `lifecycleNumbers`. */
  now: number;
  bundle: string | null;
  activated_at: Date | null;
  expires_at: Date | null;
  tags: string[];
}

const statusOf = ({ then, now }: Pick<Row, 'then' | 'now'>): Lifecycle => then ?? lifecycleOf(now);

/**
 * Every SIM that belonged to the organisation when the month ended, in its state at that time: its status is
 * the one before the next change.
 */
export const inventory: Source<Row> = {
  columns: [
    ['iccid', 'identifier'],
    ['imsi', 'identifier'],
    ['msisdn', 'identifier'],
    ['device_name', 'text'],
    ['status', 'text'],
    ['bundle', 'text'],
    ['activated', 'text'],
    ['expires', 'text'],
    ['tags', 'text'],
  ],
  rows: ({ orgId, from, until }) => ({
    text: `with own as (select sim_id from sim_owners where org_id = $1 and since < $3 and until >= $3),
       later as materialized (
         select distinct on (e.sim_id) e.sim_id, e.facts ->> 'from' as status
         from sim_events e join own on own.sim_id = e.sim_id
         where e.kind = 'lifecycle-changed' and e.at >= $3 order by e.sim_id, e.at, e.id)
       select s.iccid, s.imsi, s.msisdn, case when s.org_id = $1 then s.device_name end as device_name,
         later.status as then, s.lifecycle as now, bundle.name as bundle,
         case when s.activated_at < $3 then s.activated_at end as activated_at,
         case when s.org_id = $1 then s.expires_at end as expires_at,
         case when s.org_id = $1 then s.tags else '{}' end as tags
       from own join sims s on s.id = own.sim_id left join later on later.sim_id = s.id ${bundleAtEnd('s.id')}
       where ${existsSince('s')} < $3 order by s.iccid`,
    values: [orgId, from, until],
  }),
  cells: (row, { language, time }) => [
    ...[row.iccid, row.imsi, row.msisdn, row.device_name, phrase(language, `sim.lifecycle.${statusOf(row)}`)],
    ...[row.bundle, time(row.activated_at), time(row.expires_at), row.tags.join('; ')],
  ],
  tally: ({ language }) => {
    const counts = new Map<Lifecycle, number>(lifecycles.map((one) => [one, 0]));
    return {
      add: (row) => addToSum(counts, statusOf(row), 1),
      figures: () => [
        figure(
          'sims',
          'count',
          [...counts.values()].reduce((sum, count) => sum + count, 0),
        ),
        ...lifecycles.map((one) => figure(one, 'count', counts.get(one) ?? 0)),
      ],
      series: () =>
        series(
          'count',
          [...counts].map(([status, value]) => ({
            label: phrase(language, `sim.lifecycle.${status}`),
            value,
            tone: 'plain',
          })),
        ),
    };
  },
};
