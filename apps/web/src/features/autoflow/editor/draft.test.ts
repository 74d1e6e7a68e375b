import type { AutoflowRuleDetail } from '@simcube/contract/autoflow';
import { describe, expect, test } from 'vitest';
import { inputValueOf, instantOf } from './date-time-input.ts';
import {
  completeScopeOf,
  copyOf,
  type Draft,
  draftOf,
  emptyDraft,
  evaluatedPartsOf,
  issuesOf,
  refusedParts,
  validateDraft,
  withTrigger,
} from './draft.ts';

const rule = {
  name: 'Rule',
  enabled: true,
  trigger: { kind: 'silent', hours: 48 },
  scope: { kind: 'all' },
  actions: [{ kind: 'suspend' }],
  active_from: null,
  active_until: null,
  group_minutes: null,
  scope_list: null,
  imei_list: null,
  iccids: null,
} as unknown as AutoflowRuleDetail;

const triggers: AutoflowRuleDetail['trigger'][] = [
  { kind: 'status-change', from: 'any', to: ['active', 'paused'] },
  { kind: 'data-usage', period: 'day', threshold: { unit: 'MB', amount: 8 } },
  { kind: 'sms-mt', period: 'month', count: 1000 },
  { kind: 'sms-mo', period: 'cycle', count: 200 },
  { kind: 'imei-change', to: 'model' },
  { kind: 'first-use', unused_days: null },
  { kind: 'first-use', unused_days: 45 },
  { kind: 'lifecycle-expiry', days: 30 },
  { kind: 'silent', hours: 48 },
  { kind: 'country', change: 'left', countries: ['DE', 'FR'] },
  { kind: 'sessions', per_hour: 20 },
  { kind: 'cost', currency: 'EUR', amount_minor: 499 },
  { kind: 'unusual-usage', multiple: 5 },
];
const scopes: AutoflowRuleDetail['scope'][] = [
  { kind: 'all' },
  { kind: 'tags', tags: ['fleet', 'eu'] },
  { kind: 'product-type', types: ['test plan'] },
];

describe('a rule saved without changes', () => {
  test.each(triggers)('keeps its trigger: $kind', (trigger) => {
    expect(validateDraft(draftOf({ ...rule, trigger }))).toMatchObject({ body: { trigger } });
  });

  test.each(scopes)('keeps its scope: $kind', (scope) => {
    expect(validateDraft(draftOf({ ...rule, scope }))).toMatchObject({ body: { scope } });
  });

  test('keeps its period; a copy starts without times in the past', () => {
    const [past, future] = ['2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'];
    const limited = { ...rule, active_from: past, active_until: future };
    expect(draftOf(limited)).toMatchObject({ activeFrom: past, activeUntil: future });
    expect(copyOf(limited, Date.parse(past))).toMatchObject({ activeFrom: null, activeUntil: future });
    expect(copyOf(limited, Date.parse(future))).toMatchObject({ activeFrom: null, activeUntil: null });
  });

  test('keeps its lists, typed and uploaded; a copy needs a new file', () => {
    const typed = {
      ...rule,
      scope: { kind: 'manual', list_id: '3' } as const,
      iccids: ['89340700000023553065'],
    };
    expect(validateDraft(draftOf(typed))).toMatchObject({
      body: { scope: { kind: 'manual', iccids: ['89340700000023553065'] } },
    });
    const uploaded = { ...rule, scope: { kind: 'uploaded', list_id: '3' } as const };
    expect(validateDraft(draftOf(uploaded))).toMatchObject({
      body: { scope: { kind: 'uploaded', file: { list_id: '3' } } },
    });
    expect(issuesOf({ ...copyOf(uploaded, 0), name: 'Copy' })).toHaveProperty('scope');
  });
});

test('missing parts are reported by name; evaluation needs neither name nor actions', () => {
  expect(new Set(Object.keys(issuesOf(emptyDraft)))).toEqual(new Set(['name', 'actions']));
  expect(evaluatedPartsOf(emptyDraft)).toEqual({
    trigger: { kind: 'data-usage', period: 'cycle', threshold: { unit: '%', amount: 80 } },
    scope: { kind: 'all' },
  });
  expect(evaluatedPartsOf({ ...emptyDraft, amount: 201 })).toBeUndefined();
  expect(evaluatedPartsOf({ ...emptyDraft, scope: 'tags' })).toBeUndefined();
  expect(completeScopeOf({ ...emptyDraft, amount: 201 })).toEqual({ kind: 'all' });
  expect(completeScopeOf({ ...emptyDraft, scope: 'tags' })).toBeUndefined();
});

test('each trigger has its own threshold, which is kept while others are compared', () => {
  const change = (draft: Draft, kind: Draft['kind']): Draft => ({ ...draft, ...withTrigger(draft, kind) });
  const cost = change(emptyDraft, 'cost');
  expect(cost).toMatchObject({ kind: 'cost', amount: null });
  const back = change({ ...cost, amount: 10_000 }, 'data-usage');
  expect(back).toMatchObject({ kind: 'data-usage', amount: 80, unit: '%' });
  expect(change(back, 'cost')).toMatchObject({ amount: 10_000 });
});

test('an unknown currency is reported at the trigger', () => {
  const cost = (currency: string) => issuesOf({ ...emptyDraft, kind: 'cost', amount: 5, currency });
  expect(cost('EUR')).not.toHaveProperty('trigger');
  expect(cost('EUE')).toMatchObject({ trigger: { key: 'notAllowed' } });
});

test('an instant is preserved by its field, in UTC and in local time', () => {
  const instant = '2026-11-27T00:00:00.000Z';
  expect(inputValueOf(instant, 'UTC')).toBe('2026-11-27T00:00');
  for (const zone of ['UTC', 'LOCAL'] as const)
    expect(instantOf(inputValueOf(instant, zone), zone)).toBe(instant);
  for (const zone of ['UTC', 'LOCAL'] as const)
    expect(inputValueOf(instantOf('0002-12-05T10:00', zone), zone)).toBe('0002-12-05T10:00');
  expect(inputValueOf(null, 'UTC')).toBe('');
  expect(instantOf('', 'UTC')).toBeNull();
});

test.each([
  ['trigger', 'trigger.file'],
  ['scope', 'scope.file'],
  ['scope', undefined],
])('a SIM that is not one’s own is reported at the %s if the server names %s', (part, path) => {
  const issues = path === undefined ? [] : [{ path, key: 'notAllowed' as const, message: 'Not allowed' }];
  const refused = refusedParts({ code: 'CB-01-0012', message: 'Not yours', issues });
  expect(refused).toEqual({ [part]: { path: part, message: 'Not yours' } });
});
