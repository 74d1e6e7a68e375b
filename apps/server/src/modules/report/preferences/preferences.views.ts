import type { Language } from '@simcube/contract';
import type { ReportKind } from '@simcube/contract/report';
import type { FileFormat } from '@simcube/contract/task';
import type { Sql } from '../../../platform/db/index.ts';

export interface Preferences {
  formats: FileFormat[];
  language: Language;
  time_zone: string;
  notify: { id: string; name: string }[];
  changed_at: Date;
  kinds: { kind: ReportKind; since: Date }[];
}

/** An organisation's preferences; undefined if none have been set. Deleted address groups are left out. */
export const findPreferences = async (sql: Sql, orgId: number): Promise<Preferences | undefined> => {
  const { rows } = await sql.query<Omit<Preferences, 'kinds'>>(
    `select p.formats, p.language, p.time_zone, p.changed_at,
       (select coalesce(json_agg(json_build_object('id', t.id::text, 'name', t.name) order by lower(t.name), t.id), '[]')
        from notification_targets t where t.id = any(p.notify) and t.org_id = p.org_id) as notify
     from report_preferences p where p.org_id = $1`,
    [orgId],
  );
  if (!rows[0]) return undefined;
  const { rows: kinds } = await sql.query<Preferences['kinds'][number]>(
    'select kind, since from report_kinds where org_id = $1',
    [orgId],
  );
  return { ...rows[0], kinds };
};

/** Whether an address group is notified of an organisation's reports: one entry without a name, or none. */
export const listReportsWithTarget = async (
  sql: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<string[]> => {
  const { rows } = await sql.query(
    `select from report_preferences p where p.org_id = $1 and $2 = any(p.notify)
       and exists (select from report_kinds k where k.org_id = p.org_id)`,
    [orgId, id],
  );
  return rows.map(() => '');
};

export interface DueOrganisation {
  orgId: number;
  kinds: ReportKind[];
}

/** Organisations with the kinds that were switched on before a time, by id; optionally only one. */
export const listDue = async (
  sql: Sql,
  { month, before, orgId }: { month: string; before: Date; orgId?: number },
): Promise<DueOrganisation[]> =>
  (
    await sql.query<DueOrganisation>(
      `select k.org_id as "orgId", array_agg(k.kind order by k.kind) as kinds
       from report_kinds k left join report_months m on m.org_id = k.org_id and m.month_on = $1
       where k.since < $2 and ($3::bigint is null or k.org_id = $3)
       group by k.org_id, m.announced_at
       having m.announced_at is null or exists (
         select 1 from report_kinds o where o.org_id = k.org_id and o.since < $2 and not exists (
           select 1 from reports r where r.org_id = o.org_id and r.month_on = $1 and r.kind = o.kind
             and r.made_at is not null))
       order by k.org_id`,
      [`${month}-01`, before, orgId ?? null],
    )
  ).rows;

/** Unfinished reports of cost of the months before one, the oldest first, while their organisations still want them. */
export const listLateCosts = async (sql: Sql, before: string): Promise<{ orgId: number; month: string }[]> =>
  (
    await sql.query<{ orgId: number; month: string }>(
      `select r.org_id as "orgId", to_char(r.month_on, 'YYYY-MM') as month
       from report_kinds k join reports r on r.org_id = k.org_id and r.kind = k.kind
       where k.kind = 'cost' and r.month_on < $1 and r.made_at is null order by r.month_on, r.org_id`,
      [`${before}-01`],
    )
  ).rows;
