import { endpoints, limits } from '@simcube/contract';
import type { SmsFilter } from '@simcube/contract/sms';
import type { Actor, OrgContext, Principal } from '../../platform/access/index.ts';
import { tableFile } from '../../platform/files/index.ts';
import { fileRoute, page, type Route, route, withAsOf } from '../../platform/http/index.ts';
import { countRows, pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { allRows, ordererOf, scopedTo, uploadTemplate } from '../sim/index.ts';
import { orderExport } from '../task/index.ts';
import { messageList } from './messages/message-list.views.ts';
import type { MessageFilter, MessageScope } from './messages/message-rows.views.ts';
import { readQuota } from './quota/quota.service.ts';
import { readUsage } from './quota/quota.views.ts';
import { messageCells, messageHeadings } from './reports/message-cells.ts';
import type { Report } from './reports/report.work.ts';
import { resumeMtRule, suspendMtRule } from './sending/send.rules.ts';
import { createSending, type SendingOptions } from './sending/send.service.ts';
import { suspensionOrder } from './sending/suspend.operation.ts';
import { createServices, type ServicesOptions } from './services/services.service.ts';
import { scopeOf, serviceList } from './services/services.views.ts';

const { sms: calls } = endpoints;

export type SmsOptions = SendingOptions & ServicesOptions;

export const smsRoutes = (options: SmsOptions): Route[] => [
  ...listRoutes(options),
  ...sendRoutes(options),
  ...fileRoutes(options),
  ...quotaRoutes(options),
  ...serviceRoutes(options),
];

const listRoutes = ({ pool, db, clock }: SendingOptions): Route[] => {
  const pageOf = async (scope: MessageScope, input: Parameters<typeof pageQueryOf>[0], fixed: SmsFilter) => {
    const now = clock.now();
    const { filter, ...paging } = pageQueryOf(input);
    const listQuery = { scope, now, ...paging, filter: { ...(filter as MessageFilter), ...fixed } };
    return page({ ...(await readPage(db, messageList, listQuery)), asOf: now });
  };
  return [
    route(calls.list, ({ org, body }) => pageOf({ orgId: org.id }, body, {})),
    route(calls.listReplies, ({ org, body }) => pageOf({ orgId: org.id }, body, { kind: 'reply' })),
    route(calls.listOfSim, async ({ org, query }) => {
      const { iccid, ...rest } = query;
      const { id: simId } = await scopedTo(org).sim(pool, iccid);
      return pageOf({ orgId: org.id, simId }, rest, {});
    }),
  ];
};

const sendRoutes = (options: SendingOptions): Route[] => {
  const { ordering } = options;
  const sending = createSending(options);
  return [
    route(calls.send, ({ body, ...call }) => sending.send(ordererOf(call), body)),
    fileRoute(calls.sendTemplate, async ({ query, language }) =>
      uploadTemplate('sms-send', ['iccid'], { format: query.format, language }),
    ),
    route(calls.suspendMt, ({ body, ...call }) =>
      ordering.previewOrAccept(ordererOf(call), suspensionOrder(suspendMtRule, body.selection), body),
    ),
    route(calls.resumeMt, ({ body, ...call }) =>
      ordering.previewOrAccept(ordererOf(call), suspensionOrder(resumeMtRule, body.selection), body),
    ),
  ];
};

interface ReportCall {
  org: OrgContext;
  principal: Principal;
  actor: Actor;
}

const fileRoutes = ({ pool, db, clock }: SendingOptions): Route[] => {
  const report = async (call: ReportCall, type: 'sms-mt-report' | 'sms-mo-report', parameters: Report) => {
    const at = clock.now();
    const orgId = call.org.id;
    // Later messages are not included.
    const bounded = {
      ...parameters,
      filter: { ...parameters.filter, to: earlier(parameters.filter.to, at) },
    };
    const listQuery = { scope: { orgId }, filter: bounded.filter, now: at };
    const quantity = await countRows(db, messageList, { ...listQuery, most: limits.exportRows + 1 });
    const order = { orgId, userId: call.principal.userId, actor: call.actor, type, at, quantity };
    const auditDetails = { rows: quantity, format: parameters.format };
    return orderExport(pool, { ...order, parameters: bounded, auditDetails });
  };
  return [
    fileRoute(calls.download, async ({ org, body, language, timeZone }) => {
      const now = clock.now();
      const rows = await allRows(db, messageList, { scope: { orgId: org.id }, filter: body.filter, now });
      return tableFile({
        name: `sms-${now.toISOString().slice(0, 10)}`,
        format: body.format,
        heading: messageHeadings({ language, timeZone }),
        rows: rows.map(messageCells({ language, timeZone })),
      });
    }),
    route(calls.reportMt, ({ body, language, timeZone, ...call }) =>
      report(call, 'sms-mt-report', {
        format: body.format,
        language,
        timeZone,
        filter: { ...body.filter, direction: 'mt' },
      }),
    ),
    route(calls.reportMo, ({ body, language, timeZone, ...call }) =>
      report(call, 'sms-mo-report', {
        format: body.format,
        language,
        timeZone,
        filter: { ...body.filter, direction: 'mo' },
      }),
    ),
  ];
};

const earlier = (to: string | undefined, at: Date): string =>
  to !== undefined && new Date(to) <= at ? to : new Date(at.getTime() + 1).toISOString();

const quotaRoutes = ({ pool, clock }: SendingOptions): Route[] => [
  route(calls.remainUsage, async ({ org }) => {
    const now = clock.now();
    return withAsOf(await readQuota(pool, org.id, now), now);
  }),
  route(calls.usage, async ({ org }) => {
    const now = clock.now();
    const [quota, usage] = await Promise.all([readQuota(pool, org.id, now), readUsage(pool, org.id, now)]);
    return withAsOf({ quota, ...usage }, now);
  }),
];

const serviceRoutes = (options: ServicesOptions): Route[] => {
  const { db, clock } = options;
  const services = createServices(options);
  return [
    route(calls.listServices, async ({ org, query }) =>
      page(
        await readPage(db, serviceList, {
          scope: scopeOf(org),
          now: clock.now(),
          ...pageQueryOf(query),
        }),
      ),
    ),
    route(calls.service, ({ org, params }) => services.get(org, params.orgCode)),
    route(calls.hasConfig, ({ org, params }) => services.hasConfig(org, params.orgCode)),
    route(calls.updateService, ({ org, principal, actor, params, body }) =>
      services.update({ org, userId: principal.userId, actor }, params.orgCode, body),
    ),
  ];
};
