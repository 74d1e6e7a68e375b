import { endpoints } from '@simcube/contract';
import type { Scope } from '@simcube/contract/autoflow';
import { hourMs } from '@simcube/contract/time';
import { insertList } from '../../../modules/autoflow/scopes/lists.queries.ts';
import { insertUpload } from '../../../modules/sim/uploads/uploads.queries.ts';
import type { TestClient } from '../../app.ts';
import { makeRule } from '../../autoflow-rules.ts';
import type { References, Sides } from './references.ts';

const { autoflow: calls, notify } = endpoints;
const trigger = { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 1 } } as const;
const text = { subject: '{{rule}}', text: '{{iccid}}', sms: '{{iccid}}' };

/** Rules, their parts, and templates; a call that changes one gets a new one each time. */
export const autoflowReferences = async (
  sides: Sides,
): Promise<
  Pick<
    References,
    'ruleId' | 'replayId' | 'templateId' | 'template_id' | 'group_id' | 'trigger' | 'scope' | 'actions'
  >
> => {
  const { test, superadmin, stranger } = sides;
  const { pool } = test.database;
  const armedAt = test.clock.now();
  const ruleOf = async ({ orgId, userId }: TestClient, scope: Scope = { kind: 'all' }) =>
    String(await makeRule(pool, { orgId, ownerId: userId }, { armedAt, trigger, scope }));
  const replayOf = async (client: TestClient) =>
    (await client.call(calls.replay, { body: { trigger } })).body.data.id;
  let templates = 0;
  const templateOf = async (client: TestClient) => {
    templates += 1;
    const body = { name: `Template ${templates}`, texts: { 'en-US': text } };
    return (await client.call(calls.createTemplate, { body })).body.data.id;
  };
  const groupOf = async (client: TestClient) => {
    const body = { name: 'Rules', emails: ['rules@example.test'] };
    return (await client.call(notify.createGroup, { body })).body.data.id;
  };
  const shared = { rule: await ruleOf(superadmin), template: await templateOf(superadmin) };
  const groups = { own: await groupOf(superadmin), foreign: await groupOf(stranger) };
  const foreign = { rule: await ruleOf(stranger), template: await templateOf(stranger) };
  const list = { ruleId: Number(foreign.rule), name: null, digest: null, at: armedAt };
  const foreignSim = { simId: sides.sims.foreign.id, imei: '' };
  const foreignList = await insertList(pool, { ...list, sims: [foreignSim] });
  return {
    ruleId: {
      own: (_, { method }) => (method === 'GET' || method === 'POST' ? shared.rule : ruleOf(superadmin)),
      foreign: foreign.rule,
    },
    replayId: { own: () => replayOf(superadmin), foreign: await replayOf(stranger) },
    templateId: { own: () => templateOf(superadmin), foreign: foreign.template },
    template_id: { own: () => shared.template, foreign: foreign.template },
    group_id: { own: () => groups.own, foreign: groups.foreign },
    trigger: {
      own: () => trigger,
      foreign: { kind: 'imei-change', to: 'unlisted', file: await imeiFileOf(sides) },
    },
    scope: { own: () => ({ kind: 'all' }), foreign: { kind: 'uploaded', file: { list_id: foreignList } } },
    actions: {
      own: () => [{ kind: 'mail', group_id: groups.own, template_id: shared.template }],
      foreign: [{ kind: 'mail', group_id: groups.foreign }],
    },
  };
};

/** A file of IMEIs that the other organisation has validated. */
const imeiFileOf = async ({ test, stranger, sims }: Sides) => {
  const digest = '0'.repeat(64);
  const at = test.clock.now();
  const upload_id = await insertUpload(test.database.pool, {
    orgId: stranger.orgId,
    userId: stranger.userId,
    kind: 'rule-imeis',
    name: 'imeis.csv',
    rows: [[sims.foreign.iccid, '356938035643809']],
    facts: { digest },
    at,
    expiresAt: new Date(at.getTime() + hourMs),
  });
  return { upload_id, digest };
};
