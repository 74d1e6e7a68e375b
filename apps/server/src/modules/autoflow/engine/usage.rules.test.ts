import { dayMs, hourMs } from '@simcube/contract/time';
import { describe, expect, it } from 'vitest';
import type { ArmedRule } from './armed-rule.rules.ts';
import {
  countersOf,
  findMatches,
  isDaily,
  measuredOf,
  nextWatch,
  type UsageRule,
  type UsageSnapshot,
  usedBefore,
  usualOf,
} from './usage.rules.ts';

const [kb, mb] = [2 ** 10, 2 ** 20];
const midnight = Date.parse('2026-10-15T00:00:00Z');
const at = midnight + 12 * hourMs;

const ruleOf = (trigger: UsageRule['trigger'], own: Partial<ArmedRule> = {}): UsageRule => ({
  id: 9,
  version: 1,
  scope: { kind: 'all' },
  actions: [],
  groupMinutes: null,
  since: 0,
  until: null,
  ...own,
  trigger,
});
type Period = 'day' | 'month' | 'cycle';
const dataRule = (period: Period, amount: number, own: Partial<ArmedRule> = {}) =>
  ruleOf({ kind: 'data-usage', period, threshold: { unit: 'KB', amount } }, own);
const percent = (period: Period, amount: number) =>
  ruleOf({ kind: 'data-usage', period, threshold: { unit: '%', amount } });
const firstUse = (unused_days: number | null = null) => ruleOf({ kind: 'first-use', unused_days });
const unusual = (multiple: number) => ruleOf({ kind: 'unusual-usage', multiple });

const cycleSpan = { startsAt: midnight - 20 * dayMs, endsAt: midnight + 10 * dayMs };
/** 3 MB in the month, 1 MB of them today: 300 KB at noon and 200 KB an hour later. */
const snapshotOf = (own: Partial<UsageSnapshot> = {}): UsageSnapshot => ({
  sim: {
    simId: 1,
    orgId: 2,
    iccid: '8988',
    tags: [],
    bundleType: null,
    lastSeenAt: at,
    watch: null,
    activatedAt: midnight - 30 * dayMs,
    used: 5 * mb,
    limit: 10 * mb,
    cycleStartedAt: cycleSpan.startsAt,
    cycleEndsAt: cycleSpan.endsAt,
  },
  at,
  usage: {
    days: { '2026-09-30': 9 * mb, '2026-10-01': 2 * mb, '2026-10-15': mb, '2026-11-01': 9 * mb },
    ends: [at, at + hourMs],
    bytes: [300 * kb, 200 * kb],
  },
  cycle: { span: cycleSpan, used: 5 * mb, limit: 10 * mb },
  isUnused: false,
  ...own,
});
const lists = new Map();
const total = (rule: UsageRule, own: Partial<UsageSnapshot> = {}) => {
  const counter = countersOf(snapshotOf(own))(rule);
  return counter && [counter.name, counter.total, counter.threshold];
};

describe('what a rule counts', () => {
  it('is the usage of the day, the month or the cycle', () => {
    expect(total(dataRule('day', 5))).toEqual(['2026-10-15', mb, 5 * kb]);
    expect(total(dataRule('month', 5))).toEqual(['2026-10', 3 * mb, 5 * kb]);
    expect(total(dataRule('cycle', 5))).toEqual(['cycle 2026-09-25T00:00:00.000Z', 5 * mb, 5 * kb]);
    expect(total(dataRule('cycle', 5), { cycle: null })).toBeUndefined();
  });

  it('is compared with a part of the limit of the cycle, if it has one', () => {
    expect(total(percent('day', 80))).toEqual(['2026-10-15', mb, 8 * mb]);
    expect(total(percent('day', 80), { cycle: null })).toBeUndefined();
    expect(total(percent('cycle', 80), { cycle: { span: cycleSpan, used: 1, limit: null } })).toBeUndefined();
  });

  it('is the first octet since the activation', () => {
    const name = 'activated 2026-09-15T00:00:00.000Z';
    expect(total(firstUse())).toEqual([name, 500 * kb + 1, 1]);
    expect(total(firstUse(), { isUnused: true })).toEqual([name, 500 * kb, 1]);
    expect(total(firstUse(3))).toBeUndefined();
    const { sim } = snapshotOf();
    expect(total(firstUse(), { sim: { ...sim, activatedAt: null } })).toBeUndefined();
    expect(total(firstUse(), { sim: { ...sim, activatedAt: at + 1 } })).toBeUndefined();
    expect(total(firstUse(), { sim: { ...sim, activatedAt: at } })?.[2]).toBe(1);
  });

  it('is a day with a multiple of the usual usage, the median of the 14 days before', () => {
    const days: Record<string, number> = { '2026-10-15': 700, '2026-09-30': 5000 };
    for (let day = 1; day <= 14; day += 1) days[`2026-10-${String(day).padStart(2, '0')}`] = day * 10 + 1;
    const usage = { days, ends: [], bytes: [] };
    expect(total(unusual(3), { usage })).toEqual(['2026-10-15', 700, 228]);
    expect(total(unusual(3), { usage: { ...usage, days: {} } })).toBeUndefined();
  });

  it('is usual as the mean of the two middle days', () => {
    expect(usualOf([14, 1, 13, 2, 12, 3, 11, 4, 10, 5, 9, 6, 8, 70])).toBe(8.5);
    expect(usualOf([])).toBe(0);
  });

  it('of a period leaves out what was used at an instant or later', () => {
    const { usage } = snapshotOf();
    const counter = { name: '', threshold: 0, total: mb, span: { startsAt: midnight, endsAt: at + hourMs } };
    const before = (instant: number, span = counter.span) =>
      mb - usedBefore({ ...counter, span }, usage, instant);
    expect([before(at), before(at + 1), before(0)]).toEqual([300 * kb, 0, 300 * kb]);
    expect(before(0, { startsAt: at, endsAt: at + hourMs + 1 })).toBe(500 * kb);
    expect(before(0, { startsAt: at + 1, endsAt: at + hourMs + 1 })).toBe(200 * kb);
  });
});

describe('a rule about usage', () => {
  const matches = (rule: UsageRule, own: Partial<UsageSnapshot> = {}) =>
    findMatches([rule], snapshotOf(own), lists);

  it('fires with the record that reached the threshold', () => {
    const since = '2026-10-15T00:00:00.000Z';
    expect(matches(dataRule('day', 1024))).toEqual([
      {
        ruleId: 9,
        simId: 1,
        key: '2026-10-15',
        at: at + hourMs,
        endsAt: midnight + dayMs,
        measured: { value: mb, threshold: mb, unit: 'octets', since },
      },
    ]);
    expect(matches(dataRule('day', 824)).map((match) => match.at)).toEqual([at]);
    expect(matches(dataRule('day', 825)).map((match) => match.at)).toEqual([at + hourMs]);
    const unordered = { ends: [at + hourMs, at], bytes: [200 * kb, 300 * kb] };
    expect(
      matches(dataRule('day', 700), { usage: { ...snapshotOf().usage, ...unordered } }).map((one) => one.at),
    ).toEqual([at]);
  });

  it('does not fire below the threshold, nor for what had reached it before', () => {
    expect(matches(dataRule('day', 1025))).toEqual([]);
    expect(matches(dataRule('day', 524))).toEqual([]);
    expect(matches(dataRule('day', 525))).toHaveLength(1);
  });

  it('counts records from when it was armed until before it ends', () => {
    expect(matches(dataRule('day', 1024, { until: at + hourMs + 1 }))).toHaveLength(1);
    expect(matches(dataRule('day', 1024, { until: at + hourMs }))).toEqual([]);
    expect(matches(dataRule('day', 800, { until: at + 1 }))).toMatchObject([
      { measured: { value: 824 * kb } },
    ]);
    expect(matches(dataRule('day', 800, { until: at }))).toEqual([]);
    expect(matches(dataRule('day', 800, { since: at }))).toHaveLength(1);
    expect(matches(dataRule('day', 800, { since: at + 1 }))).toEqual([]);
    expect(matches(dataRule('day', 900, { since: at + 1 }))).toMatchObject([{ at: at + hourMs }]);
  });

  it('does not fire for a period that was over when it was armed, nor for SIMs that it does not cover', () => {
    expect(matches(dataRule('day', 1024, { since: midnight + dayMs }))).toEqual([]);
    expect(matches(dataRule('day', 1024, { scope: { kind: 'tags', tags: ['x'] } }))).toEqual([]);
  });

  it('fires once for the first use, of a period without an end', () => {
    expect(matches(firstUse(), { isUnused: true })).toMatchObject([
      { endsAt: null, at, measured: { value: null, threshold: null, unit: null } },
    ]);
    expect(matches(firstUse())).toEqual([]);
  });

  it('measures usage in octets', () => {
    const span = { startsAt: midnight, endsAt: at };
    expect(measuredOf(dataRule('day', 1), { span, total: 7, threshold: 5 })).toEqual({
      value: 7,
      threshold: 5,
      unit: 'octets',
      since: '2026-10-15T00:00:00.000Z',
    });
  });
});

describe('a SIM with rules about usage', () => {
  const watch = (rules: UsageRule[], own: Partial<UsageSnapshot> = {}) =>
    nextWatch(rules, snapshotOf(own), lists);

  it('is checked when the nearest threshold may be crossed', () => {
    for (const limits of [
      [1500, 1100],
      [1100, 1500],
    ])
      expect(watch(limits.map((limit) => dataRule('day', limit)))).toBe(5 * mb + 76 * kb);
    expect(watch([dataRule('day', 1024)])).toBe(6 * mb);
    expect(watch([dataRule('day', 1100, { scope: { kind: 'tags', tags: ['x'] } })])).toBeNull();
    expect(watch([])).toBeNull();
  });

  it('is checked for its first use only before that', () => {
    const usage = { days: {}, ends: [], bytes: [] };
    expect(watch([firstUse()], { isUnused: true, usage })).toBe(5 * mb + 1);
    expect(watch([firstUse()])).toBeNull();
  });

  it('is checked with its first record if that begins the cycle of a rule', () => {
    expect(watch([dataRule('cycle', 9)], { cycle: null })).toBe(0);
    expect(watch([dataRule('day', 1025)], { cycle: null })).toBe(5 * mb + kb);
    const foreign = dataRule('cycle', 9, { scope: { kind: 'tags', tags: ['x'] } });
    expect(watch([foreign], { cycle: null })).toBeNull();
  });

  it('is checked daily for unusual usage', () => {
    expect([isDaily([unusual(3)]), isDaily([dataRule('day', 1)]), isDaily([])]).toEqual([true, false, false]);
  });
});
