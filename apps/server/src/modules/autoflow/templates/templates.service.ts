import { limits } from '@simcube/contract';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql, typed } from '../../../platform/db/index.ts';
import { fail, requireVersion } from '../../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../../platform/lists/index.ts';
import { changedFields, recordAudit } from '../../audit/index.ts';
import { lockOrganisation } from '../../org/index.ts';
import type { Orderer } from '../../sim/index.ts';
import { requireWriteAccess } from '../write-access.ts';
import {
  countTemplates,
  deleteTemplate,
  insertTemplate,
  isTemplateNameTaken,
  lockTemplate,
  type TemplateTexts,
  updateTemplate,
} from './templates.queries.ts';
import { isTemplateUsed, templateList } from './templates.views.ts';

export interface TemplateBody {
  name: string;
  texts: TemplateTexts;
}

export const createTemplates = ({ pool, clock }: { pool: pg.Pool; clock: Clock }) => {
  const db = typed(pool);

  const record = (
    tx: Sql,
    { org, actor }: Orderer,
    { id, name, ...change }: { id: number; name: string; before: object | null; after: object | null },
  ) => {
    const subject = { kind: 'autoflow-template', id: String(id), name } as const;
    const values = { before: { ...change.before }, after: { ...change.after } };
    return recordAudit(tx, { orgId: org.id, actor, at: clock.now(), subject, ...values });
  };

  /** @throws Failure CB-05-0008 */
  const get = async (orgId: number, id: number) => {
    const query = {
      scope: { orgId },
      now: clock.now(),
      ...pageQueryOf({ page_no: 1, page_size: 1 }),
      filter: { id },
    };
    const [template] = (await readPage(db, templateList, query)).data;
    return template ?? fail('CB-05-0008');
  };

  return {
    get,

    /** @returns the id of the template. @throws Failure CB-05-0009, CB-05-0010 */
    create: (orderer: Orderer, body: TemplateBody): Promise<number> =>
      inTransaction(pool, async (tx) => {
        const orgId = orderer.org.id;
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orgId);
        const max = limits.autoflow.templates;
        if ((await countTemplates(tx, orgId)) >= max) fail('CB-05-0010', { values: { max } });
        if (await isTemplateNameTaken(tx, { orgId, name: body.name, exceptId: null })) fail('CB-05-0009');
        const id = await insertTemplate(tx, orgId, { ...body, at: clock.now() });
        await record(tx, orderer, { id, name: body.name, before: null, after: body });
        return id;
      }),

    /**
     * Saving without changes does nothing, whichever version it was based on.
     * @throws Failure CB-00-0409 if there is a newer version, CB-05-0008, CB-05-0009
     */
    update: (
      orderer: Orderer,
      { id, version }: { id: number; version: number | undefined },
      body: TemplateBody,
    ): Promise<void> =>
      inTransaction(pool, async (tx) => {
        const orgId = orderer.org.id;
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orgId);
        const previous = (await lockTemplate(tx, { orgId, id })) ?? fail('CB-05-0008');
        if (await isTemplateNameTaken(tx, { orgId, name: body.name, exceptId: id })) fail('CB-05-0009');
        const change = changedFields({ name: previous.name, texts: previous.texts }, { ...body });
        if (!change) return;
        requireVersion(previous, version);
        await updateTemplate(tx, id, { ...body, at: clock.now() });
        await record(tx, orderer, { id, name: body.name, ...change });
      }),

    /** @throws Failure CB-05-0008, CB-05-0011 while a rule uses it */
    remove: (orderer: Orderer, id: number): Promise<null> =>
      inTransaction(pool, async (tx) => {
        const orgId = orderer.org.id;
        await requireWriteAccess(tx, orderer);
        // Saving a rule that uses the template waits for this, and then does not find it.
        const previous = (await lockTemplate(tx, { orgId, id })) ?? fail('CB-05-0008');
        if (await isTemplateUsed(tx, { orgId, id })) fail('CB-05-0011');
        await deleteTemplate(tx, id);
        await record(tx, orderer, { id, name: previous.name, before: { name: previous.name }, after: null });
        return null;
      }),
  };
};
