import { folded } from '@simcube/contract';
import type { Measured, RuleDefinition, Trigger, TriggerKind } from '@simcube/contract/autoflow';

/** A rule that judges: enabled, within its time. */
export interface ArmedRule<T extends Trigger = Trigger> {
  id: number;
  version: number;
  trigger: T;
  scope: RuleDefinition['scope'];
  actions: RuleDefinition['actions'];
  /** Firings of so many minutes go out as one message; null: each as its own. */
  groupMinutes: number | null;
  /** It judges what happens from then on and before; milliseconds. */
  since: number;
  until: number | null;
}

export type ArmedOn<K extends TriggerKind> = ArmedRule<Extract<Trigger, { kind: K }>>;

export const isOn =
  <const K extends TriggerKind>(...kinds: K[]) =>
  (rule: ArmedRule): rule is ArmedOn<K> =>
    (kinds as readonly TriggerKind[]).includes(rule.trigger.kind);

/** Whether it judges what happened then. */
export const judges = ({ since, until }: ArmedRule, at: number): boolean =>
  at >= since && (until === null || at < until);

/** A SIM as far as rules choose by it. */
export interface ScopedSim {
  simId: number;
  tags: readonly string[];
  bundleType: string | null;
}

/** Lists that name the SIM, by their ids. */
export type ListsOf = ReadonlyMap<number, ReadonlySet<string>>;

/** Whether a rule is for a SIM as it is now. */
export const covers = ({ scope }: ArmedRule, sim: ScopedSim, lists: ListsOf): boolean => {
  switch (scope.kind) {
    case 'all':
      return true;
    case 'tags':
      return namesOf(scope.tags).some((name) => namesOf(sim.tags).includes(name));
    case 'product-type':
      return (scope.types as readonly string[]).includes(sim.bundleType ?? '');
    case 'uploaded':
    case 'manual':
      return lists.get(sim.simId)?.has(scope.list_id) ?? false;
  }
};

const namesOfTags = new WeakMap<readonly string[], readonly string[]>();

/** Width and case tell no tags apart. Each SIM is looked at for each rule: their tags are folded once. */
const namesOf = (tags: readonly string[]): readonly string[] => {
  const known = namesOfTags.get(tags);
  if (known) return known;
  const names = tags.map(folded);
  namesOfTags.set(tags, names);
  return names;
};

/** What a rule fires for. */
export interface Occasion {
  ruleId: number;
  simId: number;
  /** Names the period or the change: a rule fires once for it and a SIM. */
  key: string;
  /** Milliseconds. */
  at: number;
  /** When the period is over; null for a change. */
  endsAt: number | null;
  measured: Measured;
  /** Rules whose operations led to it, the first one first. */
  chain?: readonly number[];
}
