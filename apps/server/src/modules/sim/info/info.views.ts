import type { Sql } from '../../../platform/db/index.ts';
import { simsBy } from '../sims-by.rules.ts';

export interface Info {
  deviceName: string | null;
  notes: string | null;
  tags: string[];
}

/** Names, notes and tags of these SIMs, by ICCID. */
export const listInfo = async (
  sql: Sql,
  orgId: number,
  iccids: readonly string[],
): Promise<Map<string, Info>> => {
  const { rows } = await sql.query<Info & { iccid: string }>(
    `select s.iccid, s.device_name as "deviceName", s.notes, s.tags
     from ${simsBy('iccid')} i join sims s on s.id = i.sim_id where i.value = any($1::text[]) and s.org_id = $2`,
    [iccids, orgId],
  );
  return new Map(rows.map(({ iccid, ...info }) => [iccid, info]));
};
