import { limits } from '@simcube/contract';
import type { AuditAction } from '@simcube/contract/audit';
import type { RuleBody } from '@simcube/contract/autoflow';
import type pg from 'pg';
import { createRules, createTemplates } from '../../modules/autoflow/index.ts';
import { createTargets } from '../../modules/notify/index.ts';
import type { Orderer } from '../../modules/sim/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { findMember, listRuleParts } from './demo.queries.ts';

/** Who made them. */
const maker = { email: 'admin@acme.example', code: 'ACME' } as const;

const desk = {
  name: 'Fleet desk',
  addresses: ['fleet@acme.example', 'night@acme.example', 'dispatch@acme.example', 'admin@acme.example'],
};

const template = {
  name: 'Fleet desk',
  texts: {
    'en-US': {
      subject: '{{rule}}: {{device_name}}',
      text: '{{device_name}} ({{iccid}}) used {{value}} of {{threshold}} by {{time}}.\nTags: {{tags}}',
      sms: '{{device_name}}: {{value}} of {{threshold}}',
    },
    'es-ES': {
      subject: '{{rule}}: {{device_name}}',
      text: '{{device_name}} ({{iccid}}) consumió {{value}} de {{threshold}} hasta {{time}}.\nEtiquetas: {{tags}}',
      sms: '{{device_name}}: {{value}} de {{threshold}}',
    },
  },
};

type Wanted = Pick<RuleBody, 'name' | 'trigger' | 'scope' | 'actions'> & Partial<RuleBody>;

const rulesFor = (groupId: string, templateId: string): Wanted[] => {
  const mail = { kind: 'mail', group_id: groupId, template_id: null } as const;
  const tags = (...names: string[]) => ({ kind: 'tags', tags: names }) as const;
  const all = { kind: 'all' } as const;
  return [
    {
      name: 'Fleet over 80 %',
      trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 80 } },
      scope: tags('fleet'),
      actions: [{ ...mail, template_id: templateId }],
    },
    {
      name: 'Camera over its quota',
      trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 100 } },
      scope: tags('camera'),
      actions: [mail, { kind: 'add-tag', tag: 'over quota' }],
    },
    {
      name: 'Scooter day cap',
      trigger: { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 8 } },
      scope: tags('scooter'),
      actions: [{ kind: 'add-tag', tag: 'day cap' }],
    },
    {
      name: 'Foreign device',
      trigger: { kind: 'imei-change', to: 'any' },
      scope: all,
      actions: [mail],
    },
    {
      name: 'First use',
      trigger: { kind: 'first-use', unused_days: null },
      scope: all,
      actions: [mail],
      group_minutes: 60,
    },
    {
      name: 'Expiring in 30 days',
      trigger: { kind: 'lifecycle-expiry', days: 30 },
      scope: all,
      actions: [mail],
      group_minutes: 60,
    },
    {
      name: 'Silent meters',
      trigger: { kind: 'silent', hours: 48 },
      scope: tags('meter'),
      actions: [mail],
      group_minutes: 60,
    },
    {
      name: 'Paused SIMs',
      trigger: { kind: 'status-change', from: 'active', to: ['paused'] },
      scope: all,
      actions: [mail],
      enabled: false,
    },
  ];
};

interface Making {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
}

/**
 * A few rules of a customer, with whom they notify and in which words; what is there already stays as it is. Like every
 * rule they judge what comes: the history fires none of them.
 */
export const makeRules = async ({ pool, clock, vault }: Making): Promise<void> => {
  const member = await findMember(pool, maker);
  if (!member) return;
  const { orgId, userId, name } = member;
  const found = await listRuleParts(pool, orgId);
  const by = (action: AuditAction): Orderer => ({
    org: { id: orgId },
    userId,
    actor: { kind: 'person', id: userId, name, address: null, traceId: null, action },
    language: 'en-US',
  });
  const ofTarget = by('address-group.changed');
  const groupId =
    found('target', desk.name) ??
    (await createTargets({ pool, clock, vault }).create({ ...ofTarget, orgId }, { kind: 'email', ...desk }))
      .id;
  const templateId =
    found('template', template.name) ??
    (await createTemplates({ pool, clock }).create(by('autoflow-template.changed'), template));
  const rules = createRules({ pool, clock, maxRules: limits.autoflow.rules });
  const usual = { enabled: true, active_from: null, active_until: null, group_minutes: null };
  for (const wanted of rulesFor(String(groupId), String(templateId))) {
    if (found('rule', wanted.name) === undefined)
      await rules.create(by('autoflow.created'), { ...usual, ...wanted });
  }
};
