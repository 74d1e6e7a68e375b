import type { AutoflowTemplate } from '@simcube/contract/autoflow';
import { sql } from 'kysely';
import type { Sql } from '../../../platform/db/index.ts';
import type { List } from '../../../platform/lists/index.ts';

interface TemplateRow {
  id: number;
  version: number;
  name: string;
  texts: AutoflowTemplate['texts'];
  rules: number;
  updated_at: Date;
}

/** The number of rules whose current version uses a template. */
const ruleCount = (orgId: string, id: string): string => `
  (select count(*)::int from autoflow_rules r
     join autoflow_rule_versions v on v.rule_id = r.id and v.version = r.version
   where r.org_id = ${orgId} and r.removed_at is null
     and v.definition @@ ('$.actions[*].template_id == "' || ${id} || '"')::jsonpath)`;

/** Whether a rule uses the template. */
export const isTemplateUsed = async (
  tx: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<boolean> => {
  const { rows } = await tx.query<{ rules: number }>(
    `select ${ruleCount('$1::bigint', '$2::bigint')} as rules`,
    [orgId, id],
  );
  return (rows[0]?.rules ?? 0) > 0;
};

/** Notification templates of an organisation, by name, with the number of rules that use each. */
export const templateList: List<
  { orgId: number },
  { id?: number | undefined },
  TemplateRow,
  AutoflowTemplate
> = {
  name: 'autoflow.templates',
  tables: [
    {
      name: 'templates',
      from: () => sql`autoflow_templates as templates`,
      inScope: ({ scope }) => sql`org_id = ${scope.orgId}`,
    },
  ],
  // Unique within the organisation.
  key: { column: sql`folded(name)`, type: 'text' },
  order: [],
  filters: { id: (id) => sql`id = ${id}` },
  countLimit: 'all',
  select: sql`id, version, name, texts, updated_at,
    ${sql.raw(ruleCount('templates.org_id', 'templates.id'))} as rules`,
  show: (rows) =>
    rows.map(({ id, updated_at, ...template }) => ({
      id: String(id),
      ...template,
      updated_at: updated_at.toISOString(),
    })),
};
