import { endpoints, headers, instantSchema, type Language, limits } from '@simcube/contract';
import type { Task, TaskItem } from '@simcube/contract/task';
import type pg from 'pg';
import { z } from 'zod';
import type { Clock } from '../../platform/clock/index.ts';
import { decodeCursor, encodeCursor, fileRoute, page, type Route, route } from '../../platform/http/index.ts';
import { createDownloads } from './task.downloads.ts';
import type { ItemKind } from './task.items.ts';
import { type KindOf, reasonOf } from './task.report.ts';
import { countItemsIn, countMine, type ItemRow, listItems, listMine, type StoredTask } from './task.views.ts';

const positionSchema = z.tuple([instantSchema, z.int().nonnegative()]);
const dayMs = 86_400_000;

export interface TaskRoutesOptions {
  pool: pg.Pool;
  clock: Clock;
  kindOf: KindOf;
}

export const taskRoutes = ({ pool, clock, kindOf }: TaskRoutesOptions): Route[] => {
  const downloads = createDownloads({ pool, clock, kindOf });
  const withKind = (task: StoredTask): Task => ({ ...task, item_kind: kindOf(task.type)?.name ?? null });
  return [
    route(endpoints.task.listMine, async ({ query, principal, org }) => {
      const { page_no, page_size, cursor, status } = query;
      const now = clock.now();
      const since = new Date(now.getTime() - limits.taskListDays * dayMs);
      const mine = { userId: principal.userId, orgId: org.id, since, status };
      const rows = await listMine(pool, {
        ...mine,
        now,
        // One more than asked for says whether another page follows.
        limit: page_size + 1,
        offset: cursor === undefined ? (page_no - 1) * page_size : 0,
        after: cursor === undefined ? undefined : decodeCursor(cursor, positionSchema),
      });
      const shown = rows.slice(0, page_size);
      const last = rows.length > page_size ? shown.at(-1) : undefined;
      return page({
        data: shown.map(({ task }) => withKind(task)),
        total: await countMine(pool, mine),
        nextCursor: last ? encodeCursor(last.position) : null,
      });
    }),
    route(endpoints.task.getMine, async ({ params, principal, org }) => {
      const wanted = { reference: params.taskReference, userId: principal.userId, orgId: org.id };
      return withKind((await downloads.mine(wanted)).task);
    }),
    route(endpoints.task.listItems, async ({ params, query, principal, org, language }) => {
      const wanted = { reference: params.taskReference, userId: principal.userId, orgId: org.id };
      const { id: taskId, task } = await downloads.mine(wanted);
      const { page_no, page_size, cursor, state } = query;
      const rows = await listItems(pool, {
        taskId,
        state,
        after: cursor === undefined ? -1 : decodeCursor(cursor, z.int().nonnegative()),
        offset: cursor === undefined ? (page_no - 1) * page_size : 0,
        limit: page_size + 1,
      });
      const shown = rows.slice(0, page_size);
      const last = rows.length > page_size ? shown.at(-1) : undefined;
      return page({
        data: await shownItems(pool, shown, { kind: kindOf(task.type), orgId: org.id, language }),
        total: await countItemsIn(pool, { taskId, state }),
        nextCursor: last ? encodeCursor(last.position) : null,
      });
    }),
    route(endpoints.task.makeDownloadToken, ({ query, principal, org }) =>
      downloads.makeToken(
        { reference: query.taskReference, userId: principal.userId, orgId: org.id },
        query.format,
      ),
    ),
    fileRoute(endpoints.task.download, ({ params, headers: sent, language }) =>
      downloads.take(params.taskReference, sent[headers.oneTimeToken], language),
    ),
  ];
};

const shownItems = async (
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
    message: reasonOf(row, kind, language),
  }));
};
