import { allows, endpoints, headers, type PermissionMap } from '@simcube/contract';
import type { AutoflowRuleDetail } from '@simcube/contract/autoflow';
import { channels } from '@simcube/contract/notify';
import { phrase } from '@simcube/phrases';
import type { Db } from '../../platform/db/index.ts';
import { tableFile } from '../../platform/files/index.ts';
import { fail, fileRoute, page, type Route, route, withAsOf } from '../../platform/http/index.ts';
import { pageQueryOf, readPage } from '../../platform/lists/index.ts';
import { readChanges } from '../audit/index.ts';
import { listTargetChoices } from '../notify/index.ts';
import { allRows, ordererOf } from '../sim/index.ts';
import { tryBody, trySend } from './actions/try-out.service.ts';
import { explainRule } from './replay/explain.service.ts';
import { measureOvershoots } from './replay/overshoot.service.ts';
import { replayRoutes } from './replay/replay.routes.ts';
import { countriesIn } from './rules/countries.rules.ts';
import { offersOf } from './rules/offers.rules.ts';
import { listIds } from './rules/rule.rules.ts';
import { createRules, type SavingOptions } from './rules/rules.service.ts';
import {
  countRules,
  firstDay,
  isOwnRule,
  listIccids,
  readSummary,
  ruleList,
  showRules,
} from './rules/rules.views.ts';
import { runList, showRuns } from './rules/runs.views.ts';
import { ruleFileTemplate, validateRuleFile } from './scopes/rule-file.service.ts';
import { ruleSimList, showRuleSims } from './scopes/scope.views.ts';
import { validateScope } from './scopes/validation.service.ts';
import { createTemplates } from './templates/templates.service.ts';
import { templateList } from './templates/templates.views.ts';

const { autoflow: calls } = endpoints;

export interface RouteOptions extends SavingOptions {
  db: Db;
}

export const autoflowRoutes = (options: RouteOptions): Route[] => [
  ...listRoutes(options),
  ...changeRoutes(options),
  ...historyRoutes(options),
  ...simRoutes(options),
  ...editorRoutes(options),
  ...templateRoutes(options),
  ...replayRoutes(options),
  ...evaluationRoutes(options),
];

/** The organisation of a call, with the permissions that the caller has in it. */
interface CallOrg {
  id: number;
  permissions: PermissionMap;
}

const maySeeUrls = ({ permissions }: CallOrg): boolean => allows(permissions, 'account', 'read');

/** @throws Failure CB-05-0002 if the rule does not belong to the organisation, or was removed */
const getRule = async (
  { pool, db, clock }: RouteOptions,
  { org, id }: { org: CallOrg; id: number },
): Promise<AutoflowRuleDetail> => {
  const now = clock.now();
  const orgId = org.id;
  const scope = { orgId, since: firstDay(now) };
  const listQuery = { scope, now, ...pageQueryOf({ page_no: 1, page_size: 1 }), filter: { id } };
  const { data } = await readPage(db, ruleList, listQuery);
  const [rule] = await showRules(pool, data, { orgId, withUrls: maySeeUrls(org), now });
  if (!rule) return fail('CB-05-0002');
  const iccids =
    rule.scope.kind === 'manual' ? await listIccids(pool, { orgId, listId: rule.scope.list_id }) : null;
  return { ...rule, iccids };
};

/** The id of the organisation's rule, even if it was removed. @throws Failure CB-05-0002 */
const ownRule = async ({ db }: RouteOptions, org: { id: number }, ruleId: string): Promise<number> => {
  const id = Number(ruleId);
  return (await isOwnRule(db, { orgId: org.id, id })) ? id : fail('CB-05-0002');
};

const listRoutes = (options: RouteOptions): Route[] => {
  const { pool, db, clock, maxRules } = options;
  return [
    route(calls.list, async ({ org, query }) => {
      const now = clock.now();
      const scope = { orgId: org.id, since: firstDay(now) };
      const result = await readPage(db, ruleList, { scope, now, ...pageQueryOf(query) });
      const data = await showRules(pool, result.data, { orgId: org.id, withUrls: maySeeUrls(org), now });
      return page({ ...result, data, asOf: now });
    }),
    route(calls.count, async ({ org }) => ({ rules: await countRules(pool, org.id), maximum: maxRules })),
    route(calls.summary, async ({ org, query }) => {
      const now = clock.now();
      return withAsOf(await readSummary(db, { orgId: org.id, filter: query, now }), now);
    }),
    route(calls.detail, async ({ org, params }) =>
      withAsOf(await getRule(options, { org, id: Number(params.ruleId) }), clock.now()),
    ),
  ];
};

const changeRoutes = (options: RouteOptions): Route[] => {
  const rules = createRules(options);
  return [
    route(calls.create, async ({ body, ...call }) => {
      const id = await rules.create(ordererOf(call), body);
      return getRule(options, { org: call.org, id });
    }),
    route(calls.update, async ({ body: { ruleId, version, ...body }, ...call }) => {
      const id = await rules.update(ordererOf(call), { id: Number(ruleId), version }, body);
      return getRule(options, { org: call.org, id });
    }),
    route(calls.setState, async ({ params, ...call }) => {
      const id = Number(params.ruleId);
      await rules.setState(ordererOf(call), { id, state: params.state });
      return getRule(options, { org: call.org, id });
    }),
    route(calls.remove, async ({ params, headers: requestHeaders, ...call }) => {
      const email = requestHeaders[headers.operatorEmail];
      if (email && email.toLowerCase() !== call.principal.email.toLowerCase()) fail('CB-05-0013');
      return rules.remove(ordererOf(call), {
        id: Number(params.ruleId),
        scene: requestHeaders[headers.scene],
      });
    }),
  ];
};

const historyRoutes = (options: RouteOptions): Route[] => {
  const { pool, db, clock } = options;
  return [
    route(calls.listRuns, async ({ org, params, query, language }) => {
      const now = clock.now();
      const { filter, ...paging } = pageQueryOf(query);
      const ruleId = await ownRule(options, org, params.ruleId);
      const listQuery = { scope: { orgId: org.id }, now, ...paging, filter: { ...filter, ruleId } };
      const result = await readPage(db, runList, listQuery);
      return page({ ...result, data: await showRuns(pool, result.data, language), asOf: now });
    }),
    route(calls.listAllRuns, async ({ org, query: { ruleId: ruleIdText, ...query }, language }) => {
      const now = clock.now();
      const { filter, ...paging } = pageQueryOf(query);
      const ruleId = ruleIdText === undefined ? undefined : Number(ruleIdText);
      const listQuery = { scope: { orgId: org.id }, now, ...paging, filter: { ...filter, ruleId } };
      const result = await readPage(db, runList, listQuery);
      return page({ ...result, data: await showRuns(pool, result.data, language), asOf: now });
    }),
    route(calls.listChanges, async ({ org, params, query }) => {
      const rule = String(await ownRule(options, org, params.ruleId));
      const now = clock.now();
      const about = { kind: 'autoflow', id: rule } as const;
      const changes = await readChanges(db, { orgId: org.id, about, now, ...pageQueryOf(query) });
      return page({ ...changes, asOf: now });
    }),
  ];
};

const simRoutes = (options: RouteOptions): Route[] => {
  const { pool, db, clock } = options;
  return [
    route(calls.listSims, async ({ org, params, query }) => {
      const now = clock.now();
      const ruleId = Number(params.ruleId);
      const rule = await getRule(options, { org, id: ruleId });
      const scope = { orgId: org.id, scope: rule.scope };
      const result = await readPage(db, ruleSimList, { scope, now, ...pageQueryOf(query) });
      const { imeis: imeiList } = listIds(rule);
      const data = await showRuleSims(pool, result.data, { ruleId, orgId: org.id, imeiList });
      return page({ ...result, data, asOf: now });
    }),
    fileRoute(calls.downloadSims, async ({ org, params, language }) => {
      const rule = await getRule(options, { org, id: Number(params.ruleId) });
      const scope = { orgId: org.id, scope: rule.scope };
      const sims = await allRows(db, ruleSimList, { scope, filter: {}, now: clock.now() });
      return tableFile({
        name: `rule-sims-${rule.id}`,
        format: 'csv',
        heading: [phrase(language, 'files.columns.iccid'), phrase(language, 'files.columns.device_name')],
        rows: sims.map(({ iccid, device_name }) => [iccid, device_name]),
      });
    }),
  ];
};

const evaluationRoutes = (options: RouteOptions): Route[] => {
  const { pool, clock } = options;
  return [
    route(calls.why, async ({ org, params, query }) => {
      const now = clock.now();
      const rule = await getRule(options, { org, id: Number(params.ruleId) });
      return withAsOf(await explainRule(options, { rule, orgId: org.id, iccid: query.iccid, now }), now);
    }),
    route(calls.tryBody, ({ org, body }) => tryBody(options, org.id, body)),
    route(calls.trySend, ({ body, ...call }) => trySend(options, ordererOf(call), body)),
    route(calls.overshoot, ({ org, body }) =>
      measureOvershoots(pool, { orgId: org.id, ruleIds: body.ruleIds.map(Number), now: clock.now() }),
    ),
  ];
};

const editorRoutes = (options: RouteOptions): Route[] => [
  route(calls.triggers, async ({ params, language }) => offersOf(params.trigger, language)),
  route(calls.countries, async ({ language }) => countriesIn(language)),
  route(calls.listTargets, ({ org }) =>
    listTargetChoices(options.pool, {
      orgId: org.id,
      kinds: channels,
      withUrls: maySeeUrls(org),
    }),
  ),
  route(calls.validateScope, ({ body, ...call }) => validateScope(options, ordererOf(call), body.scope)),
  route(calls.validateScopeFile, ({ query, file, ...call }) =>
    validateRuleFile(options, ordererOf(call), { file, kind: 'sims', ...query }),
  ),
  route(calls.validateImeiFile, ({ query, file, ...call }) =>
    validateRuleFile(options, ordererOf(call), { file, kind: 'imeis', ...query }),
  ),
  fileRoute(calls.scopeFileTemplate, ({ params, query, language }) =>
    ruleFileTemplate(params.kind, { format: query.format, language }),
  ),
];

const templateRoutes = (options: RouteOptions): Route[] => {
  const { db, clock } = options;
  const templates = createTemplates(options);
  return [
    route(calls.listTemplates, async ({ org, query }) =>
      page(
        await readPage(db, templateList, {
          scope: { orgId: org.id },
          now: clock.now(),
          ...pageQueryOf(query),
        }),
      ),
    ),
    route(calls.createTemplate, async ({ body, ...call }) =>
      templates.get(call.org.id, await templates.create(ordererOf(call), body)),
    ),
    route(calls.updateTemplate, async ({ body: { templateId, version, ...body }, ...call }) => {
      await templates.update(ordererOf(call), { id: Number(templateId), version }, body);
      return templates.get(call.org.id, Number(templateId));
    }),
    route(calls.removeTemplate, ({ params, ...call }) =>
      templates.remove(ordererOf(call), Number(params.templateId)),
    ),
  ];
};
