import type { RuleDefinition, Why, WhyVerdict } from '@simcube/contract/autoflow';
import { type ArmedRule, covers, type ListsOf, type ScopedSim } from '../engine/armed-rule.rules.ts';

export type Comparison = Why['comparisons'][number];

const instantOf = (at: number): string => new Date(at).toISOString();

export const compared = (
  check: Comparison['check'],
  met: boolean,
  more: Partial<Omit<Comparison, 'check' | 'met' | 'at'>> & { at?: number | null } = {},
): Comparison => {
  const { value = null, wanted = null, unit = null, at = null } = more;
  return { check, met, value, wanted, unit, at: at === null ? null : instantOf(at) };
};

export interface AskedRule {
  enabled: boolean;
  armedAt: number | null;
  definition: RuleDefinition;
}

/** Whether the rule is currently on. */
export const comparedState = ({ enabled, armedAt, definition }: AskedRule, now: number): Comparison[] => {
  const { active_from: from, active_until: until } = definition;
  const value = instantOf(now);
  const on = compared('enabled', enabled, {
    value: enabled ? 'enabled' : 'disabled',
    wanted: 'enabled',
    at: armedAt,
  });
  return [
    on,
    ...(from === null ? [] : [compared('begun', now >= Date.parse(from), { value, wanted: from })]),
    ...(until === null ? [] : [compared('not-ended', now < Date.parse(until), { value, wanted: until })]),
  ];
};

/** Whether the rule is for the SIM. `listName`: the file name of its list. */
export const comparedScope = (
  rule: ArmedRule,
  sim: ScopedSim & { iccid: string },
  { lists, listName }: { lists: ListsOf; listName: string | null },
): Comparison => {
  const { scope } = rule;
  const met = covers(rule, sim, lists);
  switch (scope.kind) {
    case 'all':
      return compared('in-scope', met);
    case 'tags':
      return compared('in-scope', met, { value: sim.tags.join(', '), wanted: scope.tags.join(', ') });
    case 'product-type':
      return compared('in-scope', met, {
        value: sim.bundleType,
        wanted: scope.types.join(', '),
        unit: 'product type',
      });
    case 'uploaded':
    case 'manual':
      return compared('in-scope', met, { value: sim.iccid, wanted: listName });
  }
};

/** The verdict from all comparisons. */
export const verdictOf = (comparisons: readonly Comparison[]): WhyVerdict => {
  const missing = new Set(comparisons.filter(({ met }) => !met).map(({ check }) => check));
  if (missing.has('not-fired')) return 'fired';
  if (missing.size === 0) return 'due';
  return [...missing].every((check) => check === 'reached' || check === 'happened') ? 'waiting' : 'prevented';
};
