import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { withClient } from './cluster.ts';
import { type Fleet, iccidOf } from './fleet.ts';
import type { Run } from './run.ts';
import { callNote, measureCall, type TimedCall, withConsole } from './timed-calls.ts';

const days = 183;
/** Number of CDRs that the rollups represent: half a year of a fleet that roams in forty networks with three radio types. */
const records = 100_000_000;
const networks = 40;
const radios = 3;
/** Number of SIMs with half a year of hourly and daily usage, for the charts of one SIM. */
const chartedSims = 50;

/**
 * The calls of the dashboard and the charts of a SIM, with rollups as large as those of a hundred million CDRs.
 * Charts never read CDRs, and the size of a rollup depends on hours, networks and radio types, not on records.
 */
export const dashboard = async (run: Run): Promise<void> => {
  const { options, progress } = run;
  const { fleet, cluster } = await run.bigFleet();
  progress('filling half a year of rollups');
  const rows = await fillRollups(fleet);
  await cluster.settle();
  await withConsole(run, { fleet, name: 'dashboard' }, async (client) => {
    for (const call of calls()) await measureCall(run, client, { call, budget: { ms: 100 } });
  });
  run.note(callNote);
  run.note(
    `No ${records.toLocaleString('en-US')} CDRs were inserted: the rollups that they would leave were ` +
      `(${rows.hourly.toLocaleString('en-US')} organisation-hours and ${rows.daily.toLocaleString('en-US')} ` +
      `organisation-days over ${days} days, ${networks} networks, ${radios} radio types; ` +
      `${options.sims.toLocaleString('en-US')} SIMs).`,
  );
};

const calls = (): TimedCall[] => {
  const { card, statistics, rank, lifecycleCount } = endpoints.dashboard;
  const day = (ago: number) => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
  const noParameters = () => ({});
  const chart = (granularity: string, from: number) => (attempt: number) => ({
    query: { iccid: iccidOf(attempt % chartedSims), granularity, from: day(from), to: day(0) },
  });
  return [
    { name: 'card', endpoint: card, request: noParameters },
    ...['24h', 'week', '6months'].map((range) => ({
      name: `statistics, ${range}`,
      endpoint: statistics,
      request: () => ({ query: { range } }),
    })),
    { name: 'rank', endpoint: rank, request: noParameters },
    { name: 'lifecycle counts', endpoint: lifecycleCount, request: noParameters },
    { name: 'chart of a SIM, 7 days by hour', endpoint: endpoints.sim.usage, request: chart('hour', 6) },
    { name: 'chart of a SIM, 30 days by day', endpoint: endpoints.sim.usage, request: chart('day', 29) },
    { name: 'chart of a SIM, 6 months', endpoint: endpoints.sim.usage, request: chart('month', days - 1) },
  ];
};

const rollups = `
  insert into TABLE (org_id, TIME, plmn, radio, up_bytes, down_bytes, records)
  select $1, t, 200000 + network, radio, 40000000, 360000000, $2
  from generate_series(START, END, interval 'STEP') as t,
    generate_series(1, ${networks}) as network, generate_series(1, ${radios}) as radio
  on conflict do nothing`;

const rollupsOf = (table: string, time: string, step: string): string =>
  rollups
    .replace('TABLE', table)
    .replace('TIME', time)
    .replace('START', `date_trunc('${step}', now()) - interval '${days} days'`)
    .replace('END', `date_trunc('${step}', now())`)
    .replace('STEP', `1 ${step}`);

const chartRows = (table: string, time: string, step: string): string => `
  insert into ${table} (sim_id, ${time}, plmn, radio, up_bytes, down_bytes, records)
  select s.id, t, 262002, 3, 10000, 90000, 1
  from sims s, generate_series(date_trunc('${step}', now()) - interval '${days - 1} days',
    date_trunc('${step}', now()), interval '1 ${step}') as t
  where s.org_id = $1 and s.iccid < $2 on conflict do nothing`;

const fillRollups = (fleet: Fleet): Promise<{ hourly: number; daily: number }> =>
  withClient(fleet.databaseUrl, async (client) => {
    const { orgId } = fleet;
    await client.query('set synchronous_commit = off');
    const recordsPerStep = (steps: number) => Math.round(records / (steps * networks * radios));
    const hourly = await client.query(rollupsOf('org_usage_hourly', 'hour_at', 'hour'), [
      orgId,
      recordsPerStep(days * 24),
    ]);
    const daily = await client.query(rollupsOf('org_usage_daily', 'day_on', 'day'), [
      orgId,
      recordsPerStep(days),
    ]);
    await client.query(chartRows('usage_hourly', 'hour_at', 'hour'), [orgId, iccidOf(chartedSims)]);
    await client.query(chartRows('usage_daily', 'day_on', 'day'), [orgId, iccidOf(chartedSims)]);
    await client.query(
      `insert into org_daily_figures (org_id, day_on, total_sims, active_sims, overage_sims, expiring_sims)
       select $1, current_date - n, 1000000 - n, 500000 - n, 25000, 100000 from generate_series(1, 60) as n
       on conflict do nothing`,
      [orgId],
    );
    await client.query(
      `insert into org_usage_rank (org_id, position, sim_id, used_bytes, as_of)
       select org_id, row_number() over (), sim_id, used_bytes, now()
       from (select * from sim_live where org_id = $1 order by used_bytes desc limit 10) as top
       on conflict do nothing`,
      [orgId],
    );
    await client.query('vacuum (analyze) org_usage_hourly, org_usage_daily, usage_hourly, usage_daily');
    return { hourly: hourly.rowCount ?? 0, daily: daily.rowCount ?? 0 };
  });
