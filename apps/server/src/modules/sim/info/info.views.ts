import type { Sql } from '../../../platform/db/index.ts';

export interface Info {
  deviceName: string | null;
  notes: string | null;
  tags: string[];
}

/** What people wrote about these SIMs, by ICCID. */
export const listInfo = async (
  sql: Sql,
  orgId: number,
  iccids: readonly string[],
): Promise<Map<string, Info>> => {
  const { rows } = await sql.query<Info & { iccid: string }>(
    `select iccid, device_name as "deviceName", notes, tags from sims
     where iccid = any($1::text[]) and org_id = $2`,
    [iccids, orgId],
  );
  return new Map(rows.map(({ iccid, ...info }) => [iccid, info]));
};
