/** Statements that may read a whole growing table, by their beginning, each with the reason. */
const daily = 'a job of the clock deletes what is past its time, and reads the table once for it';
const underWay = 'it, or its index, holds what is under way alone, and is read whole';
const newNetworks = 'only if the list of networks has changed: every day and every cost may follow it';
const few = 'few rows: they are deleted soon';

export const wholeReads: readonly { begins: string; why: string }[] = [
  { begins: 'delete from access_refusals where (sim_id, reason) in', why: daily },
  { begins: 'delete from filed_sessions where (sim_id, session_key) in', why: daily },
  { begins: 'delete from invitations where', why: few },
  { begins: 'delete from mailed_codes where', why: few },
  { begins: 'delete from outbox where (xact, id) in', why: 'a cursor for each consumer' },
  { begins: 'delete from radius_refused_packets where last_at', why: daily },
  { begins: 'delete from radius_rejects where id in', why: daily },
  { begins: 'delete from radius_unknown_sims where last_at', why: daily },
  { begins: 'delete from schedule_runs where run_at', why: daily },
  { begins: 'delete from task_files where task_id in', why: few },
  { begins: 'delete from password_resets where', why: few },
  {
    begins: 'select k.currency, to_char(k.month_on',
    why: 'planned without values, bills of an organisation are taken for many; with them, each bill’s lines are found by key',
  },
  {
    begins: 'select k.org_id as "orgId", array_agg(k.kind',
    why: 'a row for an organisation and kind of report',
  },
  {
    begins: 'select org_id as "orgId", unit, starts_at as "startsAt" from cdr_sim_counts',
    why: 'once an hour; no index knows who wrote a row, and what is packed is not read',
  },
  {
    begins: 'select m.org_id as "orgId", m.days, m.starts_at as "startsAt" from (',
    why: 'once an hour; no index knows who wrote a row, and what is packed is not read',
  },
  { begins: 'select exists ( select from unwritten_histories u', why: underWay },
  { begins: 'select schedule_id, task from schedule_runs', why: underWay },
  { begins: 'select r.schedule_id, r.run_at, r.org_id', why: underWay },
  {
    begins: 'select u.org_id, u.day_on from (select org_id, day_on',
    why: 'all days of all organisations are compared',
  },
  { begins: 'update dead_lettered_jobs set tried_at', why: 'dead letters are few, or alarm' },
  { begins: 'update heatmap_days set records = -1', why: newNetworks },
  { begins: 'update sim_costs set stands_to_bytes = -1', why: newNetworks },
  { begins: "update deliveries set state = 2, due_at = null, fault = 'expired'", why: underWay },
  {
    begins: 'with closed as ( select sim_id, open_hour_at',
    why: 'once a day; only SIMs without a report for a year match',
  },
  { begins: 'with days as (delete from heatmap_days', why: daily },
  { begins: 'with old as ( delete from autoflow_firings', why: daily },
  {
    begins: 'with ended as ( select s.sim_id, s.session_key from radius_sessions',
    why: 'its index holds open sessions alone',
  },
  {
    begins: 'with sent as materialized ( select d.state, d.attempts',
    why: 'ten thousand deliveries at most; planned without values, their attempts are taken for most of the table',
  },
];
