import { allows, endpoints, headers, type Language, type PermissionMap } from '@simcube/contract';
import type { Task, TaskItem } from '@simcube/contract/task';
import type pg from 'pg';
import type { Principal } from '../../platform/access/index.ts';
import { typed } from '../../platform/db/index.ts';
import { fileRoute, page, type Route, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { createDownloads, type DownloadsOptions } from './files/downloads.ts';
import type { ItemKind } from './task.items.ts';
import { reasonOf } from './task.report.ts';
import { idOfReference } from './task.rules.ts';
import { type ItemRow, itemList, myTasks, type StoredTask, type TaskOwner } from './task.views.ts';
import type { createUndo, UndoOf } from './undo.service.ts';

export interface TaskRoutesOptions extends DownloadsOptions {
  undoOf: UndoOf;
  undo: ReturnType<typeof createUndo>;
}

/** A key with fewer permissions than its account sees only tasks that it ordered itself. */
const ownerOf = ({
  principal: { userId, key },
  org,
}: {
  principal: Principal;
  org: { id: number };
}): TaskOwner => ({
  userId,
  orgId: org.id,
  keyId: key?.rights ? key.id : undefined,
});

export const taskRoutes = ({ undoOf, undo, ...options }: TaskRoutesOptions): Route[] => {
  const { pool, clock, kindOf } = options;
  const db = typed(pool);
  const downloads = createDownloads(options);
  const toTask = ({ parameters, ...task }: StoredTask, permissions: PermissionMap): Task => {
    const access = undoOf({ type: task.type, parameters })?.undo.access;
    return {
      ...task,
      item_kind: kindOf(task.type)?.name ?? null,
      undoable: task.undoable && access !== undefined && allows(permissions, access.key, access.action),
    };
  };
  return [
    route(endpoints.task.listMine, async ({ query, principal, org }) => {
      const listQuery = { scope: ownerOf({ principal, org }), now: clock.now(), ...pageQueryOf(query) };
      const { data, ...rest } = await readPage(db, myTasks, listQuery);
      return page({
        ...rest,
        data: data.map((task) => toTask(task, org.permissions)),
        asOf: listQuery.now,
      });
    }),
    route(endpoints.task.getMine, async ({ params, principal, org }) => {
      const taskQuery = { reference: params.taskReference, ...ownerOf({ principal, org }) };
      return toTask((await downloads.getOwnTask(taskQuery)).task, org.permissions);
    }),
    route(endpoints.task.undo, ({ params, principal, org, actor }) =>
      undo(idOfReference(params.taskReference), {
        actor,
        owner: { userId: principal.userId, orgId: org.id },
      }),
    ),
    route(endpoints.task.listItems, async ({ params, query, principal, org, language }) => {
      const taskQuery = { reference: params.taskReference, ...ownerOf({ principal, org }) };
      const { id: taskId, task } = await downloads.getOwnTask(taskQuery);
      const listQuery = { scope: { taskId }, now: clock.now(), ...pageQueryOf(query) };
      const { data, ...rest } = await readPage(db, itemList, listQuery);
      return page({
        ...rest,
        data: await toTaskItems(pool, data, { kind: kindOf(task.type), orgId: org.id, language }),
      });
    }),
    route(endpoints.task.makeDownloadToken, ({ query, principal, org }) =>
      downloads.makeToken(
        {
          reference: query.taskReference,
          ...ownerOf({ principal, org }),
          key: principal.key,
          sessionId: principal.sessionId,
          permissions: org.permissions,
        },
        query.format,
      ),
    ),
    fileRoute(endpoints.task.download, ({ params, headers: requestHeaders, language, address }) =>
      downloads.download(params.taskReference, {
        token: requestHeaders[headers.oneTimeToken],
        language,
        address,
      }),
    ),
  ];
};

const toTaskItems = async (
  pool: pg.Pool,
  rows: readonly ItemRow[],
  { kind, orgId, language }: { kind: ItemKind | undefined; orgId: number; language: Language },
): Promise<TaskItem[]> => {
  const refs = rows.flatMap(({ ref }) => (ref === null ? [] : [ref]));
  const own = (await kind?.findOwn?.(pool, { orgId, refs })) ?? new Set(refs);
  return rows.map((row) => ({
    position: row.position,
    label: row.label,
    own: row.ref !== null && own.has(row.ref),
    state: row.state,
    code: row.code,
    message: reasonOf(row, language),
  }));
};
