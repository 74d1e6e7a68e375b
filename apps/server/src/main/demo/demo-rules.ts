import { limits, permissionsByRole } from '@simcube/contract';
import type { RuleBody } from '@simcube/contract/autoflow';
import { createRules, createTemplates } from '../../modules/autoflow/index.ts';
import { listRuleParts } from './demo.queries.ts';
import type { DemoContext, Maker } from './demo-maker.ts';

/** A tag whose SIMs are in a pool, send messages and are billed: one of them uses up its quota (demo-story.ts). */
export const storyTag = 'kiosk';
const overQuotaRule = 'Kiosk over its quota';

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

type DemoRule = Pick<RuleBody, 'name' | 'trigger' | 'scope' | 'actions'> & Partial<RuleBody>;

const rulesFor = (groupId: string, templateId: string): DemoRule[] => {
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
      name: overQuotaRule,
      trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 100 } },
      scope: tags(storyTag),
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

/**
 * A few rules of a customer, with their targets and texts; existing ones are left unchanged. Like every rule
 * they apply to later events only: the history triggers none of them.
 */
export const makeRules = async (
  { pool, clock }: Pick<DemoContext, 'pool' | 'clock'>,
  { orgId, by, groupId }: Maker,
): Promise<void> => {
  const findPart = await listRuleParts(pool, orgId);
  const templateId =
    findPart('template', template.name) ??
    (await createTemplates({ pool, clock }).create(by('autoflow-template.changed'), template));
  const rules = createRules({ pool, clock, maxRules: limits.autoflow.rules });
  const defaults = { enabled: true, active_from: null, active_until: null, group_minutes: null };
  const orderer = { ...by('autoflow.created'), org: { id: orgId, permissions: permissionsByRole.admin } };
  for (const rule of rulesFor(String(groupId), String(templateId))) {
    if (findPart('rule', rule.name) === undefined) await rules.create(orderer, { ...defaults, ...rule });
  }
};
