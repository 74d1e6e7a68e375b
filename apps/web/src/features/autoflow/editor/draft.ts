import { type endpoints, type InputIssue, type RequestOf, toInputIssues } from '@simcube/contract';
import {
  type AutoflowRuleDetail,
  type DataUnit,
  newScopeSchema,
  type RuleAction,
  type RulePeriod,
  ruleBodySchema,
  type ScopeKind,
  type TriggerKind,
} from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import type { ApiFailure } from '../../../lib/api-client/index.ts';
import { splitIdentifiers } from '../../../lib/identifiers/index.ts';

/** A file as stored by the server, and its source in the browser. */
export interface RuleFile {
  reference: { upload_id: string; digest: string } | { list_id: string };
  source?: File;
  name: string | null;
  rows: number;
}

/** A rule being edited: input for other scopes, and thresholds of other triggers, are kept while the person compares them. */
export interface Draft {
  name: string;
  enabled: boolean;
  kind: TriggerKind;
  from: 'any' | Lifecycle;
  to: Lifecycle[];
  period: RulePeriod;
  unit: DataUnit | '%';
  /** The threshold of the trigger; null while the field is empty. */
  amount: number | null;
  /** Thresholds of the triggers chosen before: 80 percent say nothing about hours or an amount of money. */
  otherAmounts: Partial<Record<TriggerKind, number | null>>;
  currency: string;
  unused: boolean;
  imei: 'any' | 'model' | 'unlisted';
  imeis: RuleFile | null;
  change: 'entered' | 'left';
  countries: string[];
  scope: ScopeKind;
  tags: string[];
  types: string[];
  iccids: string;
  sims: RuleFile | null;
  actions: RuleAction[];
  activeFrom: string | null;
  activeUntil: string | null;
  groupMinutes: number | null;
}

export const emptyDraft: Draft = {
  name: '',
  enabled: true,
  kind: 'data-usage',
  from: 'any',
  to: ['active'],
  period: 'cycle',
  unit: '%',
  amount: 80,
  otherAmounts: {},
  currency: 'EUR',
  unused: false,
  imei: 'any',
  imeis: null,
  change: 'entered',
  countries: [],
  scope: 'all',
  tags: [],
  types: [],
  iccids: '',
  sims: null,
  actions: [],
  activeFrom: null,
  activeUntil: null,
  groupMinutes: null,
};

/** The draft with another trigger. */
export const withTrigger = ({ kind, amount, otherAmounts }: Draft, chosen: TriggerKind): Partial<Draft> => ({
  kind: chosen,
  amount: otherAmounts[chosen] ?? null,
  otherAmounts: { ...otherAmounts, [kind]: amount },
});

const triggerPartOf = ({ trigger, imei_list: list }: AutoflowRuleDetail): Partial<Draft> => {
  switch (trigger.kind) {
    case 'status-change':
      return { from: trigger.from, to: trigger.to };
    case 'data-usage':
      return { period: trigger.period, ...trigger.threshold };
    case 'sms-mt':
    case 'sms-mo':
      return { period: trigger.period, amount: trigger.count };
    case 'imei-change':
      return {
        imei: trigger.to,
        imeis:
          trigger.to === 'unlisted'
            ? { reference: { list_id: trigger.list_id }, name: list?.name ?? null, rows: list?.rows ?? 0 }
            : null,
      };
    case 'first-use':
      return { unused: trigger.unused_days !== null, amount: trigger.unused_days };
    case 'lifecycle-expiry':
      return { amount: trigger.days };
    case 'silent':
      return { amount: trigger.hours };
    case 'country':
      return { change: trigger.change, countries: trigger.countries };
    case 'sessions':
      return { amount: trigger.per_hour };
    case 'cost':
      return { amount: trigger.amount_minor, currency: trigger.currency };
    case 'unusual-usage':
      return { amount: trigger.multiple };
  }
};

const scopePartOf = ({ scope, scope_list: list, iccids }: AutoflowRuleDetail): Partial<Draft> => {
  switch (scope.kind) {
    case 'all':
      return {};
    case 'tags':
      return { tags: scope.tags };
    case 'product-type':
      return { types: scope.types };
    case 'manual':
      return { iccids: iccids?.join('\n') ?? '' };
    case 'uploaded':
      return {
        sims: { reference: { list_id: scope.list_id }, name: list?.name ?? null, rows: list?.rows ?? 0 },
      };
  }
};

export const draftOf = (rule: AutoflowRuleDetail): Draft => ({
  ...emptyDraft,
  amount: null,
  ...triggerPartOf(rule),
  ...scopePartOf(rule),
  name: rule.name,
  enabled: rule.enabled,
  kind: rule.trigger.kind,
  scope: rule.scope.kind,
  actions: rule.actions,
  activeFrom: rule.active_from,
  activeUntil: rule.active_until,
  groupMinutes: rule.group_minutes,
});

/**
 * A copy starts without the rule's own lists, which belong to it alone: they must be provided again. It also starts without times
 * in the past, which a new rule must not have.
 * @param now milliseconds since 1970
 */
export const copyOf = (rule: AutoflowRuleDetail, now: number): Draft => {
  const ifFuture = (time: string | null): string | null =>
    time !== null && Date.parse(time) > now ? time : null;
  return {
    ...draftOf(rule),
    name: '',
    imeis: null,
    sims: null,
    activeFrom: ifFuture(rule.active_from),
    activeUntil: ifFuture(rule.active_until),
  };
};

const triggerOf = (draft: Draft): object => {
  const { kind, period, amount } = draft;
  switch (kind) {
    case 'status-change':
      return { kind, from: draft.from, to: draft.to };
    case 'data-usage':
      return { kind, period, threshold: { unit: draft.unit, amount } };
    case 'sms-mt':
    case 'sms-mo':
      return { kind, period, count: amount };
    case 'imei-change':
      return { kind, to: draft.imei, ...(draft.imei === 'unlisted' ? { file: draft.imeis?.reference } : {}) };
    case 'first-use':
      return { kind, unused_days: draft.unused ? amount : null };
    case 'lifecycle-expiry':
      return { kind, days: amount };
    case 'silent':
      return { kind, hours: amount };
    case 'country':
      return { kind, change: draft.change, countries: draft.countries };
    case 'sessions':
      return { kind, per_hour: amount };
    case 'cost':
      return { kind, currency: draft.currency, amount_minor: amount };
    case 'unusual-usage':
      return { kind, multiple: amount };
  }
};

export const iccidsOf = ({ iccids }: Draft): string[] => [...new Set(splitIdentifiers(iccids))];

const scopeOf = (draft: Draft): object => {
  const { scope: kind } = draft;
  switch (kind) {
    case 'all':
      return { kind };
    case 'tags':
      return { kind, tags: draft.tags };
    case 'product-type':
      return { kind, types: draft.types };
    case 'manual':
      return { kind, iccids: iccidsOf(draft) };
    case 'uploaded':
      return { kind, file: draft.sims?.reference };
  }
};

const bodyOf = (draft: Draft): object => ({
  name: draft.name,
  enabled: draft.enabled,
  trigger: triggerOf(draft),
  scope: scopeOf(draft),
  actions: draft.actions,
  active_from: draft.activeFrom,
  active_until: draft.activeUntil,
  group_minutes: draft.groupMinutes,
});

/** An error at a path of the rule; the server's has a message. */
export type Issue = { path: string } & (Pick<InputIssue, 'key' | 'values'> | { message: string });
const parts = [
  'name',
  'trigger',
  'scope',
  'actions',
  'active_from',
  'active_until',
  'group_minutes',
] as const;
type Part = (typeof parts)[number];
export type Issues = Partial<Record<Part, Issue>>;
export type RuleBody = RequestOf<typeof endpoints.autoflow.create>['body'];

/** The body to save, or the issues by part, as the server would report them. */
export const validateDraft = (draft: Draft): { body: RuleBody } | { issues: Issues } => {
  const { data, error } = ruleBodySchema.safeParse(bodyOf(draft));
  return data ? { body: data } : { issues: byPart(error.issues.flatMap(toInputIssues)) };
};

/** The first issue of each part. */
const byPart = (all: readonly Issue[]): Issues => {
  const issues: Issues = {};
  for (const issue of all) {
    const part = parts.find((name) => issue.path === name || issue.path.startsWith(`${name}.`));
    if (part) issues[part] ??= issue;
  }
  return issues;
};

/**
 * Times that have passed. The server refuses them unless the rule had them before, and is not enabled again after its end.
 * @param now milliseconds since 1970
 */
export const pastTimesOf = (draft: Draft, base: Draft, now: number): Issues => {
  const isPast = (time: string | null): boolean => time !== null && Date.parse(time) < now;
  const restarts = draft.enabled && !base.enabled;
  return byPart([
    ...(draft.activeFrom !== base.activeFrom && isPast(draft.activeFrom) ? [passed('active_from')] : []),
    ...((draft.activeUntil !== base.activeUntil || restarts) && isPast(draft.activeUntil)
      ? [passed('active_until')]
      : []),
  ]);
};

const passed = (path: Part): Issue => ({ path, key: 'timePassed' });

/** Errors of saving that concern one part, unless their issues name another one. */
const partOfCode: Readonly<Record<string, Part>> = {
  'CB-01-0012': 'scope',
  'CB-01-0020': 'scope',
  'CB-01-0021': 'scope',
  'CB-05-0003': 'name',
  'CB-05-0008': 'actions',
  'CB-09-0017': 'actions',
};

/** Why the server refused the rule, by part; empty if no part is the reason. */
export const refusedParts = ({
  code,
  message,
  issues,
}: Pick<ApiFailure, 'code' | 'message' | 'issues'>): Issues => {
  const atParts = byPart(issues);
  const part = partOfCode[code ?? ''];
  if (!part) return atParts;
  // The code's message says more than the issue's.
  const [named = part] = Object.keys(atParts);
  return { [named]: { path: named, message } };
};

export const issuesOf = (draft: Draft): Issues => {
  const result = validateDraft(draft);
  return 'issues' in result ? result.issues : {};
};

/** The scope, whose SIMs can be counted; undefined while incomplete. */
export const completeScopeOf = (draft: Draft): RuleBody['scope'] | undefined =>
  newScopeSchema.safeParse(scopeOf(draft)).data;

/** The parts that can be replayed; undefined while incomplete. */
export const evaluatedPartsOf = (draft: Draft): Pick<RuleBody, 'trigger' | 'scope'> | undefined => {
  // Uses a placeholder name and actions: neither affects the result.
  const result = validateDraft({
    ...draft,
    name: '-',
    actions: [{ kind: 'suspend' }],
    activeFrom: null,
    activeUntil: null,
  });
  return 'body' in result ? { trigger: result.body.trigger, scope: result.body.scope } : undefined;
};
