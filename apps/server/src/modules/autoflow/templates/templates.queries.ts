import type { Language } from '@simcube/contract';
import { type TemplateText, textsSchema } from '@simcube/contract/autoflow';
import type { Sql } from '../../../platform/db/index.ts';

export type TemplateTexts = { [L in Language]?: TemplateText | undefined };

/** A template, locked until the transaction ends. */
export interface LockedTemplate {
  id: number;
  version: number;
  name: string;
  texts: TemplateTexts;
}

export const lockTemplate = async (
  tx: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<LockedTemplate | undefined> => {
  const { rows } = await tx.query<LockedTemplate>(
    'select id, version, name, texts from autoflow_templates where id = $1 and org_id = $2 for update',
    [id, orgId],
  );
  // The database does not preserve the order of an object's members.
  return rows[0] && { ...rows[0], texts: textsSchema.parse(rows[0].texts) };
};

/** The texts of a template, with the name of its organisation; undefined if it was removed. */
export const findTemplate = async (
  sql: Sql,
  { orgId, id }: { orgId: number; id: number },
): Promise<{ texts: TemplateTexts; organisation: string } | undefined> =>
  (
    await sql.query<{ texts: TemplateTexts; organisation: string }>(
      `select t.texts, o.name as organisation from autoflow_templates t join organisations o on o.id = t.org_id
       where t.id = $1 and t.org_id = $2`,
      [id, orgId],
    )
  ).rows[0];

export const countTemplates = async (tx: Sql, orgId: number): Promise<number> =>
  (
    await tx.query<{ count: number }>(
      'select count(*)::int as count from autoflow_templates where org_id = $1',
      [orgId],
    )
  ).rows[0]?.count ?? 0;

export const isTemplateNameTaken = async (
  tx: Sql,
  { orgId, name, exceptId }: { orgId: number; name: string; exceptId: number | null },
): Promise<boolean> =>
  (
    await tx.query(
      `select from autoflow_templates where org_id = $1 and folded(name) = folded($2) and id is distinct from $3`,
      [orgId, name, exceptId],
    )
  ).rows.length > 0;

export interface StoredTemplate {
  name: string;
  texts: TemplateTexts;
  at: Date;
}

export const insertTemplate = async (tx: Sql, orgId: number, template: StoredTemplate): Promise<number> => {
  const { rows } = await tx.query<{ id: number }>(
    'insert into autoflow_templates (org_id, name, texts, updated_at) values ($1, $2, $3, $4) returning id',
    [orgId, template.name, JSON.stringify(template.texts), template.at],
  );
  const [inserted] = rows;
  if (!inserted) throw new Error('The template was not stored');
  return inserted.id;
};

export const updateTemplate = async (
  tx: Sql,
  id: number,
  { name, texts, at }: StoredTemplate,
): Promise<void> => {
  await tx.query(
    `update autoflow_templates set name = $2, texts = $3, updated_at = $4, version = version + 1 where id = $1`,
    [id, name, JSON.stringify(texts), at],
  );
};

export const deleteTemplate = async (tx: Sql, id: number): Promise<void> => {
  await tx.query('delete from autoflow_templates where id = $1', [id]);
};
