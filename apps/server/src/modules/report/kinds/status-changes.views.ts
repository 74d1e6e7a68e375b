import { type Lifecycle, lifecycles, type SimEventReason, simEventReasons } from '@simcube/contract/sim';
import { phrase } from '@simcube/phrases';
import { figure } from '../report.rules.ts';
import { type Source, series } from './source.ts';

interface Row {
  at: Date;
  /** Whether it is the SIM's first change in the month. */
  is_first: boolean;
  iccid: string;
  from: Lifecycle | null;
  to: Lifecycle;
  reason: string | null;
  actor: string | null;
  task_id: string | null;
}

const isReason = (reason: string): reason is SimEventReason =>
  simEventReasons.some((known) => known === reason);

/** Each change of a SIM's status: when, by whom and why. */
export const statusChanges: Source<Row> = {
  columns: [
    ['time', 'text'],
    ['iccid', 'identifier'],
    ['from', 'text'],
    ['to', 'text'],
    ['reason', 'text'],
    ['actor', 'text'],
    ['task', 'identifier'],
  ],
  rows: ({ orgId, from, until }) => ({
    // Materialised first: if joined directly, a cluster would transfer all SIMs to the events' nodes.
    text: `with e as materialized (
         select id, at, sim_id, facts, actor, task_id from sim_events
         where org_id = $1 and kind = 'lifecycle-changed' and at >= $2 and at < $3)
       select e.at, s.iccid, row_number() over (partition by e.sim_id order by e.at, e.id) = 1 as is_first,
         e.facts ->> 'from' as "from", e.facts ->> 'to' as "to",
         e.facts ->> 'reason' as reason, e.actor, e.task_id
       from e join sims s on s.id = e.sim_id order by e.at, e.id`,
    values: [orgId, from, until],
  }),
  cells: ({ at, iccid, from, to, reason, actor, task_id }, { language, time }) => [
    ...[time(at), iccid, from && phrase(language, `sim.lifecycle.${from}`)],
    phrase(language, `sim.lifecycle.${to}`),
    reason && isReason(reason) ? phrase(language, `sim.events.reasons.${reason}`) : reason,
    ...[actor, task_id],
  ],
  tally: ({ language }) => {
    const counts = new Map<Lifecycle, number>();
    let [changes, sims] = [0, 0];
    return {
      add: ({ is_first, to }) => {
        changes += 1;
        if (is_first) sims += 1;
        counts.set(to, (counts.get(to) ?? 0) + 1);
      },
      figures: () => [figure('changes', 'count', changes), figure('sims', 'count', sims)],
      series: () =>
        series(
          'count',
          lifecycles.map((one) => ({
            label: phrase(language, `sim.lifecycle.${one}`),
            value: counts.get(one) ?? 0,
            tone: 'plain',
          })),
        ),
    };
  },
};
