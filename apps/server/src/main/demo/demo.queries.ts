import type pg from 'pg';
import { simsBy } from '../../modules/sim/index.ts';
import { readInstallation, type Sql, writeInstallation } from '../../platform/db/index.ts';

/** Progress of the seed: each step is done once and sets its mark in its own transaction. */
export type SeedStage = 'started' | 'stocked' | 'used' | 'done';

export interface DemoState {
  mark: SeedStage;
  /** The end of the demonstration's past; stored, so that a resumed seed creates the same past. */
  at: Date;
}

export const findState = async (sql: Sql): Promise<DemoState | undefined> => {
  const values = await readInstallation(sql, ['demo', 'demo_at']);
  const [mark, at] = [values.get('demo'), values.get('demo_at')];
  return mark && at ? { mark: mark as SeedStage, at: new Date(at) } : undefined;
};

export const saveState = (tx: Sql, { mark, at }: DemoState): Promise<void> =>
  writeInstallation(tx, { demo: mark, demo_at: at.toISOString() });

/** Any number not used by another advisory lock of this database. */
const seedLock = 7_341_900_002;

/** Runs the work while no other process does: if several start together, only one makes the demonstration. */
export const withSeedLock = async <T>(pool: pg.Pool, work: () => Promise<T>): Promise<T> => {
  const lock = await pool.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [seedLock]);
    return await work();
  } finally {
    await lock.query('select pg_advisory_unlock($1)', [seedLock]).catch(() => undefined);
    lock.release();
  }
};

/** A demonstration is made only in an empty database. */
export const isEmpty = async (sql: Sql): Promise<boolean> => {
  const { rows } = await sql.query<{ empty: boolean }>(
    'select not exists (select 1 from organisations) and not exists (select 1 from users) as empty',
  );
  return rows[0]?.empty ?? false;
};

export interface DemoMember {
  userId: string;
  orgId: number;
  name: string;
}

export const findMember = async (
  sql: Sql,
  { email, code }: { email: string; code: string },
): Promise<DemoMember | undefined> =>
  (
    await sql.query<DemoMember>(
      `select u.id as "userId", o.id as "orgId", u.first_name || ' ' || u.last_name as name
       from users u join memberships m on m.user_id = u.id join organisations o on o.id = m.org_id
       where u.email = $1 and o.code = $2`,
      [email, code],
    )
  ).rows[0];

/** What an organisation already has of the rules' parts: ids by name. */
export const listRuleParts = async (sql: Sql, orgId: number) => {
  const { rows } = await sql.query<{ part: 'target' | 'template' | 'rule'; id: number; name: string }>(
    `select 'target' as part, id, name from notification_targets where org_id = $1
     union all select 'template', id, name from autoflow_templates where org_id = $1
     union all select 'rule', id, name from autoflow_rules where org_id = $1`,
    [orgId],
  );
  return (part: (typeof rows)[number]['part'], name: string): number | undefined =>
    rows.find((row) => row.part === part && row.name === name)?.id;
};

/** A schedule of an organisation by its name, and whether it has any run. */
export const findSchedule = async (
  sql: Sql,
  { orgId, name }: { orgId: number; name: string },
): Promise<{ id: number; hasRun: boolean } | undefined> =>
  (
    await sql.query<{ id: number; hasRun: boolean }>(
      `select id, exists (select from schedule_runs r where r.schedule_id = s.id) as "hasRun"
       from schedules s where org_id = $1 and name = $2`,
      [orgId, name],
    )
  ).rows[0];

/** Among SIMs with a tag that are in a pool and have sent messages, the one closest to its quota in this cycle. */
export const findNearQuota = async (
  sql: Sql,
  { orgId, tag }: { orgId: number; tag: string },
): Promise<string | undefined> =>
  (
    await sql.query<{ iccid: string }>(
      `select s.iccid from sims s join sim_live l on l.sim_id = s.id
       where s.org_id = $1 and $2 = any(s.tags) and l.used_bytes <= l.limit_bytes and l.plmn is not null
         and exists (select from pool_members m where m.sim_id = s.id and m.left_at is null)
         and exists (select from sms_messages m where m.sim_id = s.id and m.mobile_originated)
       order by l.limit_bytes - l.used_bytes, s.id limit 1`,
      [orgId, tag],
    )
  ).rows[0]?.iccid;

/** A SIM's remaining quota, and its last network. */
export const findSimUsage = async (
  sql: Sql,
  iccid: string,
): Promise<{ left: number; mcc: string; mnc: string } | undefined> =>
  (
    await sql.query<{ left: number; mcc: string; mnc: string }>(
      `select l.limit_bytes - l.used_bytes as left, n.mcc, n.mnc
       from ${simsBy('iccid')} i join sim_live l on l.sim_id = i.sim_id join networks n on n.plmn = l.plmn
       where i.value = $1`,
      [iccid],
    )
  ).rows[0];
