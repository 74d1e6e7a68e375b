import type { AutoflowRuleDetail, Replay, RuleRun, Why } from '@simcube/contract/autoflow';

/** A rule, one of its firings, a replay of it, and why it did not fire for a SIM. */

export const at = '2026-11-22T13:58:21.000Z';
export const iccid = '89340700000023553065';
export const gigabyte = 2 ** 30;

export const rule: AutoflowRuleDetail = {
  id: '7',
  name: 'Camera hard stop',
  version: 3,
  enabled: true,
  condition: 'failing',
  trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: 'GB', amount: 36 } },
  scope: { kind: 'tags', tags: ['camera'] },
  actions: [{ kind: 'data-off' }, { kind: 'mail', group_id: '4', template_id: null }],
  active_from: null,
  active_until: null,
  group_minutes: null,
  targets: [null, { name: 'Fleet desk', addresses: 4, url: null }],
  scope_list: null,
  imei_list: null,
  sims: 92,
  armed_at: at,
  created_at: at,
  created_by: 'Ada Marsh',
  updated_at: at,
  fired: {
    total: 14,
    days: [
      { day: '2026-11-21', count: 4 },
      { day: '2026-11-22', count: 10 },
    ],
  },
  last_run: { at, state: 'failed', actions: 3, failed: 2 },
  iccids: null,
};
export const run: RuleRun = {
  id: '1',
  rule: { id: '7', name: rule.name, version: 3 },
  trigger: 'data-usage',
  iccid,
  happened_at: at,
  at,
  measured: { value: 37 * gigabyte, threshold: 36 * gigabyte, unit: 'octets', since: at },
  chain: [{ id: '9', name: 'Night watch' }],
  state: 'failed',
  actions: [
    {
      kind: 'data-off',
      state: 'failed',
      code: 'CB-01-0012',
      message: 'The SIM was not found',
      at,
      task: null,
      notification_id: null,
      delivery: null,
    },
    {
      kind: 'api',
      state: 'done',
      code: null,
      message: null,
      at,
      task: null,
      notification_id: '00000000-0000-4000-8000-000000000000',
      delivery: 'failed',
    },
  ],
};
export const replay: Replay = {
  id: '5',
  rule_id: '7',
  trigger: 'data-usage',
  state: 'running',
  asked_at: at,
  from: at,
  to: at,
  progress: { done: 40, sims: 92 },
  records: 2100,
  took_ms: null,
  firings: 0,
  sims: 0,
  overage: null,
  listed: 0,
  days: [],
  former: null,
};
export const why: Why = {
  rule: { id: '7', name: rule.name, version: 3 },
  trigger: 'data-usage',
  iccid,
  verdict: 'waiting',
  comparisons: [
    {
      check: 'reached',
      met: false,
      value: 12 * gigabyte,
      wanted: 36 * gigabyte,
      unit: 'octets',
      at,
    },
  ],
  last_fired: null,
};
