import type { ReportPreferencesBody } from '@simcube/contract/report';
import type { Sql } from '../../../platform/db/index.ts';

/** Replaces the preferences; a kind that stays switched on keeps the time when it was switched on. */
export const savePreferences = async (
  tx: Sql,
  { orgId, kinds, at, ...preferences }: ReportPreferencesBody & { orgId: number; at: Date },
): Promise<void> => {
  await tx.query(
    `insert into report_preferences (org_id, formats, language, time_zone, notify, changed_at)
     values ($1, $2, $3, $4, $5::bigint[], $6)
     on conflict (org_id) do update set formats = excluded.formats, language = excluded.language,
       time_zone = excluded.time_zone, notify = excluded.notify, changed_at = excluded.changed_at`,
    [orgId, preferences.formats, preferences.language, preferences.time_zone, preferences.notify, at],
  );
  await tx.query('delete from report_kinds where org_id = $1 and kind <> all($2::text[])', [orgId, kinds]);
  await tx.query(
    `insert into report_kinds (org_id, kind, since) select $1, kind, $3 from unnest($2::text[]) as k (kind)
     on conflict do nothing`,
    [orgId, kinds, at],
  );
};
