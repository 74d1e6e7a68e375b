import type { RuleDefinition, Why, WhyVerdict } from '@simcube/contract/autoflow';
import { type ArmedRule, covers, type ListsBySim, type ScopedSim } from '../engine/armed-rule.rules.ts';

export type Comparison = Why['comparisons'][number];

const instantOf = (at: number): string => new Date(at).toISOString();

export const comparison = (
  check: Comparison['check'],
  met: boolean,
  more: Partial<Omit<Comparison, 'check' | 'met' | 'at'>> & { at?: number | null } = {},
): Comparison => {
  const { value = null, wanted = null, unit = null, at = null } = more;
  return { check, met, value, wanted, unit, at: at === null ? null : instantOf(at) };
};

export interface ExplainedRule {
  enabled: boolean;
  armedAt: number | null;
  definition: RuleDefinition;
}

/** Whether the rule is currently on. */
export const compareState = ({ enabled, armedAt, definition }: ExplainedRule, now: number): Comparison[] => {
  const { active_from: from, active_until: until } = definition;
  const value = instantOf(now);
  const on = comparison('enabled', enabled, {
    value: enabled ? 'enabled' : 'disabled',
    wanted: 'enabled',
    at: armedAt,
  });
  return [
    on,
    ...(from === null ? [] : [comparison('begun', now >= Date.parse(from), { value, wanted: from })]),
    ...(until === null ? [] : [comparison('not-ended', now < Date.parse(until), { value, wanted: until })]),
  ];
};

/** Whether the rule is for the SIM. `listName`: the file name of its list. */
export const compareScope = (
  rule: ArmedRule,
  sim: ScopedSim & { iccid: string },
  { lists, listName }: { lists: ListsBySim; listName: string | null },
): Comparison => {
  const { scope } = rule;
  const met = covers(rule, sim, lists);
  switch (scope.kind) {
    case 'all':
      return comparison('in-scope', met);
    case 'tags':
      return comparison('in-scope', met, { value: sim.tags.join(', '), wanted: scope.tags.join(', ') });
    case 'product-type':
      return comparison('in-scope', met, {
        value: sim.bundleType,
        wanted: scope.types.join(', '),
        unit: 'product type',
      });
    case 'uploaded':
    case 'manual':
      return comparison('in-scope', met, { value: sim.iccid, wanted: listName });
  }
};

/** The verdict from all comparisons. */
export const verdictOf = (comparisons: readonly Comparison[]): WhyVerdict => {
  const unmet = new Set(comparisons.filter(({ met }) => !met).map(({ check }) => check));
  if (unmet.has('not-fired')) return 'fired';
  if (unmet.size === 0) return 'due';
  return [...unmet].every((check) => check === 'reached' || check === 'happened') ? 'waiting' : 'prevented';
};
