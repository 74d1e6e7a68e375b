import type { Sql } from '../../../platform/db/index.ts';

const tagsShown = 200;

/** Tags of an organisation that contain the text, the most used first. */
export const listTags = async (
  sql: Sql,
  { orgId, search }: { orgId: number; search: string },
): Promise<{ tag: string; sims: number }[]> =>
  (
    await sql.query<{ tag: string; sims: number }>(
      `select tag, sims from org_tags
       where org_id = $1 and sims > 0 and ($2 = '' or position(folded($2) in folded(tag)) > 0)
       order by sims desc, tag limit ${tagsShown}`,
      [orgId, search],
    )
  ).rows;
