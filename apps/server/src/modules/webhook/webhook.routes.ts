import { endpoints } from '@simcube/contract';
import { webhookEvents, webhookEventTypes, webhookTestType } from '@simcube/contract/webhook';
import { typed } from '../../platform/db/index.ts';
import { type Call, fail, page, type Route, route } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { readFeed } from './events/feed.service.ts';
import { readDetail } from './log/detail.views.ts';
import { readHealth } from './log/health.views.ts';
import { countStates, logList } from './log/log.views.ts';
import { createResender } from './log/resend.service.ts';
import { createWebhooks, type WebhookCaller, type WebhookOptions } from './settings/webhooks.service.ts';
import { maySee, visibleTypes } from './webhook.rules.ts';

const { webhook: calls } = endpoints;

type AnyCall = Pick<Call<typeof calls.listTypes>, 'org' | 'principal' | 'language' | 'actor'>;

const callerOf = ({ org, principal, language, actor }: AnyCall): WebhookCaller => ({
  orgId: org.id,
  orgCode: org.code,
  accountId: principal.userId,
  language,
  permissions: org.permissions,
  actor,
});

/** The account in the path must be the caller's own; another one is not found. */
const ownCallerOf = (call: AnyCall & { params: { accountId: string } }): WebhookCaller =>
  call.params.accountId.toLowerCase() === call.principal.userId ? callerOf(call) : fail('CB-00-0404');

export const webhookRoutes = (options: WebhookOptions): Route[] => {
  const { pool, clock } = options;
  const db = typed(pool);
  const webhooks = createWebhooks(options);
  const resender = createResender({ pool, db, clock });
  const queryOf = ({ org, principal }: AnyCall) => ({
    scope: {
      orgId: org.id,
      accountId: principal.userId,
      types: [...visibleTypes(org.permissions), webhookTestType] as const,
    },
    now: clock.now(),
  });
  return [
    route(calls.key, (call) => webhooks.read(ownCallerOf(call))),
    route(calls.renewKey, (call) => webhooks.renewKey(ownCallerOf(call))),
    route(calls.setStatus, (call) => webhooks.setStatus(ownCallerOf(call), call.body.status)),
    route(calls.setUrl, (call) => webhooks.setUrl(ownCallerOf(call), call.body.url)),
    route(calls.setEventTypes, (call) => webhooks.setEventTypes(ownCallerOf(call), call.body.event_types)),
    route(calls.resume, (call) => webhooks.resume(ownCallerOf(call))),
    route(calls.test, (call) => webhooks.test(ownCallerOf(call))),
    route(calls.listTypes, async (call) => {
      const { event_types: chosen } = await webhooks.read(callerOf(call));
      return webhookEventTypes.map((type) => ({
        type,
        usual: webhookEvents[type].isUsual,
        chosen: chosen.includes(type),
        permitted: maySee(call.org.permissions, type),
      }));
    }),
    route(calls.health, (call) => {
      const { scope, now } = queryOf(call);
      return readHealth(pool, scope, now);
    }),
    route(calls.list, async (call) => {
      const query = queryOf(call);
      return page({
        ...(await readPage(db, logList, { ...query, ...pageQueryOf(call.body) })),
        asOf: query.now,
      });
    }),
    route(calls.counts, (call) => countStates(db, { ...queryOf(call), filter: call.body })),
    route(
      calls.detail,
      async (call) =>
        (await readDetail(db, { ...queryOf(call), id: Number(call.params.notificationId) })) ??
        fail('CB-09-0030'),
    ),
    route(calls.resendOne, (call) =>
      resender.resendOne(callerOf(call), queryOf(call), Number(call.params.notificationId)),
    ),
    route(calls.resend, (call) => resender.resendMatching(callerOf(call), queryOf(call), call.body)),
    route(calls.feed, async (call) => {
      const caller = callerOf(call);
      const { event_types: chosen } = await webhooks.read(caller);
      return readFeed(pool, {
        orgId: caller.orgId,
        accountId: caller.accountId,
        types: chosen.filter((type) => maySee(caller.permissions, type)),
        ...call.query,
        cursor: call.query.cursor,
        now: clock.now(),
      });
    }),
  ];
};
