import { folded } from '@simcube/contract';
import type { Measured, RuleDefinition, Trigger, TriggerKind } from '@simcube/contract/autoflow';

/** A rule in force: enabled, and within its period of validity. */
export interface ArmedRule<T extends Trigger = Trigger> {
  id: number;
  version: number;
  trigger: T;
  scope: RuleDefinition['scope'];
  actions: RuleDefinition['actions'];
  /** Firings within this many minutes are sent as one message; null: each separately. */
  groupMinutes: number | null;
  /** It applies to events from this time on and before `until`; milliseconds. */
  since: number;
  until: number | null;
}

export type ArmedRuleOn<K extends TriggerKind> = ArmedRule<Extract<Trigger, { kind: K }>>;

export const hasTrigger =
  <const K extends TriggerKind>(...kinds: K[]) =>
  (rule: ArmedRule): rule is ArmedRuleOn<K> =>
    (kinds as readonly TriggerKind[]).includes(rule.trigger.kind);

/** Whether the rule applies to an event at that time. */
export const isActiveAt = ({ since, until }: ArmedRule, at: number): boolean =>
  at >= since && (until === null || at < until);

/** The state of a SIM that decides which rules are for it. */
export interface ScopedSim {
  simId: number;
  tags: readonly string[];
  bundleType: string | null;
}

/** By SIM: the ids of the lists that contain it. */
export type ListsBySim = ReadonlyMap<number, ReadonlySet<string>>;

/** Whether a rule is for a SIM in its current state. */
export const covers = ({ scope }: ArmedRule, sim: ScopedSim, lists: ListsBySim): boolean => {
  switch (scope.kind) {
    case 'all':
      return true;
    case 'tags':
      return foldedTags(scope.tags).some((name) => foldedTags(sim.tags).includes(name));
    case 'product-type':
      return (scope.types as readonly string[]).includes(sim.bundleType ?? '');
    case 'uploaded':
    case 'manual':
      return lists.get(sim.simId)?.has(scope.list_id) ?? false;
  }
};

const foldedTagsCache = new WeakMap<readonly string[], readonly string[]>();

/** Tags that differ only in width or case are equal. Every SIM is compared with every rule, so its tags are folded only once. */
const foldedTags = (tags: readonly string[]): readonly string[] => {
  const known = foldedTagsCache.get(tags);
  if (known) return known;
  const names = tags.map(folded);
  foldedTagsCache.set(tags, names);
  return names;
};

/** What a rule fires for. */
export interface RuleMatch {
  ruleId: number;
  simId: number;
  /** Identifies the period or change: a rule fires once for each key and SIM. */
  key: string;
  /** Milliseconds. */
  at: number;
  /** End of the period; null for a change. */
  endsAt: number | null;
  measured: Measured;
  /** Rules whose operations led to it, in order. */
  chain?: readonly number[];
}
