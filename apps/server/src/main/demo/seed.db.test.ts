import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '@simcube/contract';
import { dayMs } from '@simcube/contract/time';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkBill } from '../../modules/finance/index.ts';
import { createLog } from '../../platform/log/index.ts';
import { vaultOf } from '../../platform/secrets/index.ts';
import { clientOf, makeOrganisation, type TestApp, type TestClient, testApp } from '../../testing/app.ts';
import { startBackground } from '../../testing/background.ts';
import { type Demo, type SeedOptions, seedDemo } from './seed.ts';

let test: TestApp;
let dataDir: string;

const open = async () => {
  test = await testApp();
  dataDir = await mkdtemp(join(tmpdir(), 'simcube-demo-'));
};
const close = async () => {
  await test.close();
  await rm(dataDir, { recursive: true, force: true });
};

const seed = (change: Partial<SeedOptions> = {}) =>
  seedDemo({
    pool: test.database.pool,
    clock: test.clock,
    log: createLog({ level: 'silent', format: 'json' }),
    vault: vaultOf(Buffer.alloc(32, 7)),
    dataDir,
    wiring: test.wiring,
    findPorts: async () => ({ coaPort: 3799, smscPort: 2775 }),
    size: { sims: 120, days: 30 },
    ...change,
  });

/** Everything that the demonstration consists of, counted and summed. */
const state = async () => {
  const { rows } = await test.database.pool.query(
    `select (select count(*) from organisations) as organisations, (select count(*) from users) as users,
       (select count(*) from memberships) as memberships, (select count(*) from sims) as sims,
       (select sum(sims) from org_sim_counts)::int as counted,
       (select count(*) from bundle_orders where status = 'in use') as in_use,
       (select count(*) from sim_events) as events, (select count(*) from cdrs) as cdrs,
       (select sum(up_bytes + down_bytes) from usage_daily)::text as bytes,
       (select sum(up_bytes + down_bytes) from org_usage_daily)::text as org_bytes,
       (select count(*) from org_daily_figures) as figures,
       (select count(*) from sms_messages where not mobile_originated) as sent,
       (select count(*) from sms_messages where mobile_originated and reply_to_id is not null) as replies,
       (select sum(mt_parts)::int from org_sms_daily) as counted_parts,
       (select count(*) from sms_messages m join sims s on s.id = m.sim_id where m.at < s.activated_at) as too_early,
       (select count(*) from bills) as bills, (select count(*) from autoflow_rules) as rules,
       (select count(*) from webhooks where enabled_at is not null) as webhooks, (select count(*) from webhook_types) as webhook_types,
       (select count(*) from audit_entries where action like 'webhook.%') as webhook_changes,
       (select count(*) from schedules) as schedules, (select count(*) from schedule_runs) as runs,
       (select count(*) from tasks where type = 'sms-schedule') as run_tasks,
       (select count(*) from sms_messages where scheduled) as scheduled,
       (select count(*) from notification_targets) as targets, (select count(*) from autoflow_templates) as templates,
       (select count(*) from radius_clients) as gateways, (select count(*) from smsc_connections) as smscs`,
  );
  return rows[0];
};

describe('the demonstration, created once,', () => {
  const size = { size: { sims: 600, days: 100 } };
  let demo: Demo | undefined;
  beforeAll(async () => {
    await open();
    demo = await seed(size);
  });
  afterAll(close);

  it('has pool limits and usage that are consistent between events', async () => {
    const { rows } = await test.database.pool.query(
      `select kind, limit_before_bytes as limit,
         lag(limit_after_bytes) over (
           partition by pool_id, date_trunc('month', at + interval '8 hours', 'UTC') order by at, id) as left_at
       from pool_events order by at, id`,
    );
    const kinds = rows.map(({ kind }) => kind);
    expect(kinds).toContain('pool limit increase');
    // Each month of more than a year begins with one, in both pools.
    expect(kinds.filter((kind) => kind === 'new pool launch').length).toBeGreaterThan(24);
    const going = rows.filter(({ left_at }) => left_at !== null);
    expect(going.length).toBeGreaterThan(2);
    expect(going.map(({ limit }) => limit)).toEqual(going.map(({ left_at }) => left_at));
    const { rows: said } = await test.database.pool.query<{ used: number; counted: number }>(
      `select e.used_bytes as used, (select coalesce(sum(u.up_bytes + u.down_bytes), 0)::bigint
         from pool_usage_hourly u where u.pool_id = e.pool_id and u.hour_at < e.at
           and u.hour_at >= date_trunc('month', e.at + interval '8 hours', 'UTC') - interval '8 hours') as counted
       from pool_events e order by at, id`,
    );
    expect(said.map(({ used }) => used)).toEqual(said.map(({ counted }) => counted));
    expect(said.some(({ used }) => used > 0)).toBe(true);
  });

  it('has verified bills and reports of its complete months, and rules that have not fired', async () => {
    const { rows: bills } = await test.database.pool.query<{ number: string; month: string; status: string }>(
      `select 'BILL-' || to_char(month_on, 'YYYY-MM') || '-' || lpad(serial::text, 5, '0') as number,
         to_char(month_on, 'YYYY-MM') as month, status from bills order by id`,
    );
    expect(new Set(bills.map(({ month }) => month)).size).toBeGreaterThan(1);
    expect(new Set(bills.map(({ status }) => status))).toEqual(new Set(['paid', 'published', 'obsolete']));
    const { pool } = test.database;
    // The version by another tariff charges everything that the first one did.
    const { rows: dropped } = await pool.query(
      `select o.kind, o.bundle_code from bills b join bills n on n.serial = b.serial and n.version > b.version
       join bill_lines o on o.bill_id = b.id where b.status = 'obsolete' and not exists (
         select from bill_lines l where l.bill_id = n.id and l.kind = o.kind
           and l.bundle_code is not distinct from o.bundle_code)`,
    );
    expect(dropped).toEqual([]);
    for (const { number } of bills)
      expect(await checkBill(pool, number, { now: test.clock.now() }), number).toMatchObject({
        mismatches: [],
        late: 0,
      });
    const { rows: payees } = await test.database.pool.query('select name from bill_payee');
    expect(payees).toEqual([{ name: 'SimCube Operator' }]);
    const { rows: reports } = await test.database.pool.query<{ month: string; count: number }>(
      `select to_char(month_on, 'YYYY-MM') as month, count(*)::int as count from reports where made_at is not null group by 1`,
    );
    expect(new Set(reports.map(({ count }) => count))).toEqual(new Set([8]));
    expect(new Set(reports.map(({ month }) => month))).toEqual(new Set(bills.map(({ month }) => month)));
    const { rows: fired } = await test.database.pool.query('select 1 from autoflow_firings');
    expect(fired).toEqual([]);
  });

  it('has schedules with past runs, consistent with tasks, messages, quotas and audit trail', async () => {
    const { pool } = test.database;
    const { rows: schedules } = await pool.query(
      `select name, next_run_at > $1 as goes_on,
         (select count(*)::int from schedule_sims i where i.schedule_id = s.id) as sims,
         (select array_agg(action order by number) from audit_entries
          where subject_kind = 'schedule' and subject_id = s.id::text and org_id = s.org_id) as log
       from schedules s order by id`,
      [test.clock.now()],
    );
    const log = ['schedule.created', 'schedule.switched'];
    expect(schedules).toMatchObject([
      { name: 'Meter readings', goes_on: true, log },
      { name: 'Positions of trackers', goes_on: null, log },
      { name: 'Restart of cameras', goes_on: null, log },
    ]);
    const { rows: runs } = await pool.query<{
      name: string;
      sims: number;
      messages: number;
      replies: number;
    }>(
      `select s.name, r.quantity as sims, t.status, t.done::int, r.run_at < $1 and r.settled_at > r.run_at as is_past,
         (select count(*)::int from task_items i where i.task_id = t.id and i.state = 1) as items,
         (select count(*)::int from sms_messages m where m.task = r.task and m.scheduled and m.at = r.run_at) as messages,
         (select count(*)::int from sms_messages m join sms_messages a on a.sim_id = m.sim_id and a.reply_to_id = m.id
          where m.task = r.task) as replies
       from schedule_runs r join schedules s on s.id = r.schedule_id
       join tasks t on 'T' || lpad(t.id::text, 8, '0') = r.task order by r.run_at`,
      [test.clock.now()],
    );
    const simsOf = new Map(schedules.map(({ name, sims }) => [name, sims]));
    expect(runs.length).toBeGreaterThan(10);
    for (const run of runs) {
      const sims = simsOf.get(run.name);
      expect(run).toMatchObject({
        sims,
        done: sims,
        items: sims,
        messages: sims,
        status: 'done',
        is_past: true,
      });
      expect(run.replies).toBeLessThanOrEqual(run.messages);
    }
    expect(runs.some(({ replies }) => replies > 0)).toBe(true);
    const { rows: spent } = await pool.query(
      `select q.org_id from sms_quota_spent q where parts <> (
         select coalesce(sum(m.parts), 0) from sms_messages m where q.org_id = any(m.charged_org_ids)
           and date_trunc('month', m.at + interval '8 hours', 'UTC')::date = q.month_on)`,
    );
    expect(spent).toEqual([]);
    const { rows: forbidden } = await pool.query(
      `select m.id from sms_messages m join organisations o on o.id = m.org_id
       where o.sms_quota_kind = 'none' and not m.mobile_originated`,
    );
    expect(forbidden).toEqual([]);
  });

  it('has a SIM over what it contributes to its pool with CDRs, pool, rule mail, thread, bill and webhook log', async () => {
    const { pool } = test.database;
    const background = await startBackground(test);
    try {
      const fired = `select f.sim_id from autoflow_firings f join autoflow_rules r on r.id = f.rule_id
        where r.name = 'Kiosk over its quota' and f.state = 1`;
      await expect.poll(async () => (await pool.query(fired)).rowCount).toBe(1);
      const { rows } = await pool.query(
        `select s.id, s.iccid, l.used_bytes > l.limit_bytes and not l.over_limit as over, 'over quota' = any(s.tags) as tagged,
           exists (select from pool_members m join pool_usage u using (pool_id, sim_id)
             where m.sim_id = s.id and m.left_at is null) as pool,
           exists (select from sms_messages m where m.sim_id = s.id and m.mobile_originated) as thread,
           exists (select from bill_charges c where c.sim_id = s.id) as bill,
           (select count(*)::int from notifications n where n.fields::text like '%' || s.iccid || '%') as mails
         from sims s join sim_live l on l.sim_id = s.id where s.id in (${fired})`,
      );
      const [{ id, iccid }] = rows;
      const records = 'select from cdrs where sim_id = $1 and ended_at >= $2';
      expect((await pool.query(records, [id, test.clock.now()])).rowCount).toBeGreaterThan(0);
      const seen = {
        over: true,
        tagged: true,
        pool: true,
        thread: true,
        bill: true,
        mails: 1,
      };
      expect(rows).toEqual([{ id, iccid, ...seen }]);
      const admin = await signedIn(demo);
      const log = async () => {
        const body = { page_no: 1, page_size: 50, search: iccid };
        return (await admin.call(endpoints.webhook.list, { body })).body.data;
      };
      await expect.poll(async () => (await log()).map(({ type }) => type)).toContain('autoflow.fired');
      for (const { about } of await log()) expect(about).toMatchObject({ kind: 'sim', id: iccid });
    } finally {
      await background.stop();
    }
  });

  it('is complete, allows sign-in, and is idempotent', async () => {
    const made = await state();
    expect(made).toMatchObject({ organisations: 7, users: 5, sims: 600, counted: 600, gateways: 1 });
    expect(made.cdrs).toBeGreaterThan(1000);
    expect(made.bytes).toBe(made.org_bytes);
    expect(made).toMatchObject({ smscs: 1, webhooks: 1, too_early: 0, counted_parts: made.sent });
    expect(made.sent).toBeGreaterThan(10);
    expect(made.replies).toBeGreaterThan(5);
    const admin = await signedIn(demo);
    const list = await admin.call(endpoints.sim.list, { body: { lifecycle: ['active'], page_size: 100 } });
    expect(list.body.data.length).toBeGreaterThan(20);
    expect(list.body.data.some((row) => row.cycle_usage_bytes > 0 && row.bundle_name && row.network)).toBe(
      true,
    );
    test.clock.advance(dayMs);
    await seed(size);
    expect(await state()).toEqual(made);
  });

  it('writes the simulator’s devices, and a secret readable by its owner only', async () => {
    const args = demo?.simulator.args ?? [];
    const path = (option: string) => args[args.indexOf(option) + 1] ?? '';
    expect((await stat(path('--secret-file'))).mode & 0o077).toBe(0);
    const [header, ...devices] = (await readFile(path('--devices'), 'utf8')).trim().split('\n');
    expect(header).toBe('iccid,imsi,msisdn,imei,apn,kind,home_plmn');
    expect(devices.length).toBeGreaterThan(50);
  });
});

describe('the demonstration', () => {
  beforeEach(open);
  afterEach(close);

  it('resumes after an interruption at any point', async () => {
    const whole = await testApp();
    try {
      await seed({ pool: whole.database.pool, wiring: whole.wiring, dataDir: join(dataDir, 'whole') });
      const said = [
        'organisations and people created',
        'SIMs imported',
        'orders and lifecycles created',
        'usage history imported',
        'schedules created',
        'bills, reports and rules created',
      ];
      for (const last of said) await expect(seed({ log: endingAt(last) })).rejects.toThrow(last);
      await seed();
      const [mine, other] = [await state(), await stateOf(whole)];
      expect(mine).toEqual(other);
    } finally {
      await whole.close();
    }
  }, 240_000);

  it('is created once by two concurrent processes', async () => {
    await Promise.all([seed(), seed()]);
    expect(await state()).toMatchObject({ organisations: 7, sims: 120, counted: 120 });
  });

  it('is not created in an installation with data', async () => {
    await makeOrganisation(test, { code: 'REAL' });
    expect(await seed()).toBeUndefined();
    expect(await state()).toMatchObject({ organisations: 1, sims: 0, gateways: 0 });
  });
});

/** The first of the people that its start prints. */
const signedIn = async (demo: Demo | undefined): Promise<TestClient> => {
  const answer = await test.app.inject({
    method: 'POST',
    url: '/identity/sso/signin/direct/cube',
    payload: { ...demo?.signIn[0], agreement: true },
  });
  const { data } = answer.json();
  const [role] = data.rolesInfo;
  return clientOf(test, {
    userId: data.userId,
    orgId: 0,
    token: data.token,
    headers: {
      authorization: `Bearer ${data.token}`,
      'tenant-id': role.tenantId,
      'partner-code': role.code,
    },
  });
};

const stateOf = async (other: TestApp) => {
  const own = test;
  test = other;
  try {
    return await state();
  } finally {
    test = own;
  }
};

/** A log that ends the work at a word, like a kill at that point. */
const endingAt = (word: string): SeedOptions['log'] => {
  const log = createLog({ level: 'silent', format: 'json' });
  return new Proxy(log, {
    get: (target, name) =>
      name === 'info'
        ? (...said: unknown[]) => {
            if (said.includes(word)) throw new Error(word);
          }
        : Reflect.get(target, name),
  });
};
