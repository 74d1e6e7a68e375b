import { endpoints, type Language } from '@simcube/contract';
import type { Schedule } from '@simcube/contract/schedule';
import { phrase } from '@simcube/phrases';
import { localTimeFormatter, tableFile } from '../../platform/files/index.ts';
import { fail, fileRoute, page, type Route, route, withAsOf } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { readChanges } from '../audit/index.ts';
import { listTargetChoices } from '../notify/index.ts';
import { allRows, ordererOf } from '../sim/index.ts';
import { type AudienceOptions, readAudience } from './reading/audience.service.ts';
import { readForecast } from './reading/forecast.service.ts';
import { runList, showRuns } from './reading/runs.views.ts';
import { isOwnSchedule, scheduleList, showSchedules } from './reading/schedules.views.ts';
import { showSims, simList } from './reading/sims.views.ts';
import { createSchedules } from './saving/schedules.service.ts';

const { schedule: calls } = endpoints;

export type ScheduleOptions = AudienceOptions;

export const scheduleRoutes = (options: ScheduleOptions): Route[] => [
  ...listRoutes(options),
  ...changeRoutes(options),
  ...detailRoutes(options),
  ...editorRoutes(options),
];

/** @throws Failure CB-04-0006 for a schedule that does not belong to the organisation */
const getSchedule = async (
  { pool, db, clock }: ScheduleOptions,
  { orgId, id }: { orgId: number; id: number },
): Promise<Schedule> => {
  const now = clock.now();
  const listQuery = { scope: { orgId }, now, ...pageQueryOf({ page_no: 1, page_size: 1 }), filter: { id } };
  const { data } = await readPage(db, scheduleList, listQuery);
  const [schedule] = await showSchedules(pool, data, now);
  return schedule ?? fail('CB-04-0006');
};

const listRoutes = (options: ScheduleOptions): Route[] => {
  const { pool, db, clock } = options;
  return [
    route(calls.list, async ({ org, body }) => {
      const now = clock.now();
      const result = await readPage(db, scheduleList, {
        scope: { orgId: org.id },
        now,
        ...pageQueryOf(body),
      });
      return page({ ...result, data: await showSchedules(pool, result.data, now), asOf: now });
    }),
    route(calls.detail, async ({ org, params }) => {
      const now = clock.now();
      return withAsOf(await getSchedule(options, { orgId: org.id, id: Number(params.scheduleId) }), now);
    }),
  ];
};

const changeRoutes = (options: ScheduleOptions): Route[] => {
  const schedules = createSchedules(options);
  return [
    route(calls.create, async ({ body, ...call }) => {
      const id = await schedules.create(ordererOf(call), body);
      return getSchedule(options, { orgId: call.org.id, id });
    }),
    route(calls.update, async ({ body, ...call }) => {
      const id = await schedules.update(ordererOf(call), body);
      return getSchedule(options, { orgId: call.org.id, id });
    }),
    route(calls.setStatus, async ({ body, ...call }) => {
      const id = Number(body.scheduleId);
      await schedules.setStatus(ordererOf(call), { id, enabled: body.enabled });
      return getSchedule(options, { orgId: call.org.id, id });
    }),
    route(calls.remove, ({ query, ...call }) => schedules.remove(ordererOf(call), Number(query.scheduleId))),
  ];
};

const detailRoutes = (options: ScheduleOptions): Route[] => {
  const { pool, db, clock } = options;
  const requireOwnSchedule = async (org: { id: number }, scheduleId: string): Promise<number> => {
    const id = Number(scheduleId);
    if (!(await isOwnSchedule(db, { orgId: org.id, id }))) fail('CB-04-0006');
    return id;
  };
  return [
    route(calls.listSims, async ({ org, body, language }) => {
      const { scheduleId: scheduleIdText, ...paging } = body;
      const scheduleId = await requireOwnSchedule(org, scheduleIdText);
      const now = clock.now();
      const result = await readPage(db, simList, { scope: { scheduleId }, now, ...pageQueryOf(paging) });
      const data = await showSims(pool, result.data, { orgId: org.id, scheduleId, language });
      return page({ ...result, data, asOf: now });
    }),
    fileRoute(calls.downloadSims, async ({ org, query, language, timeZone }) => {
      const scheduleId = await requireOwnSchedule(org, query.scheduleId);
      const rows = await allRows(db, simList, { scope: { scheduleId }, filter: {}, now: clock.now() });
      const sims = await showSims(pool, rows, { orgId: org.id, scheduleId, language });
      const local = localTimeFormatter(timeZone);
      return tableFile({
        name: `scheduled-sms-${scheduleId}`,
        format: 'csv',
        heading: simHeadings(language, timeZone),
        rows: sims.map(({ iccid, device_name, last_message: last, message }) => [
          iccid,
          device_name,
          last && local(last.at),
          last && phrase(language, `sms.statuses.${last.status}`),
          message,
        ]),
      });
    }),
    route(calls.listRuns, async ({ org, params, query, language }) => {
      const scheduleId = await requireOwnSchedule(org, params.scheduleId);
      const now = clock.now();
      const result = await readPage(db, runList, { scope: { scheduleId }, now, ...pageQueryOf(query) });
      return page({
        ...result,
        data: await showRuns(pool, result.data, { orgId: org.id, language }),
        asOf: now,
      });
    }),
    route(calls.listLog, async ({ org, params, query }) => {
      const about = {
        kind: 'schedule',
        id: String(await requireOwnSchedule(org, params.scheduleId)),
      } as const;
      const now = clock.now();
      const changes = await readChanges(db, { orgId: org.id, about, now, ...pageQueryOf(query) });
      return page({ ...changes, asOf: now });
    }),
  ];
};

const simHeadings = (language: Language, timeZone: string): string[] => {
  const word = (column: 'iccid' | 'device_name' | 'sent' | 'status' | 'reason') =>
    phrase(language, `files.columns.${column}`);
  return [
    word('iccid'),
    word('device_name'),
    `${word('sent')} (${timeZone})`,
    word('status'),
    word('reason'),
  ];
};

const editorRoutes = (options: ScheduleOptions): Route[] => [
  route(calls.audience, ({ body, ...call }) => readAudience(options, ordererOf(call), body)),
  route(calls.listGroups, ({ org }) =>
    listTargetChoices(options.pool, { orgId: org.id, kinds: ['email'], withUrls: false }),
  ),
  route(calls.forecast, async ({ org, body }) => {
    const { db } = options;
    const { scheduleId } = body;
    if (scheduleId !== undefined && !(await isOwnSchedule(db, { orgId: org.id, id: Number(scheduleId) })))
      fail('CB-04-0006');
    return readForecast(options, { orgId: org.id, body });
  }),
];
