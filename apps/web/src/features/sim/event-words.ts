import { lifecycleSchema, radioTypes, type SimEvent } from '@simcube/contract/sim';
import type { TFunction } from 'i18next';
import type { Format } from '../../lib/format/index.ts';
import type { Tone } from '../../ui/status/index.ts';
import { causeWords, errorCauseWords, reasonWords, resultWords } from './fact-words.ts';
import { overagePolicies } from './sim-words.ts';

/** Kinds that have words of their own, with the colour of their dot. */
const kinds = {
  imported: 'grey',
  updated: 'grey',
  activated: 'teal',
  suspended: 'orange',
  resumed: 'blue',
  expired: 'red',
  renewed: 'teal',
  terminated: 'grey',
  'lifecycle-changed': 'blue',
  'first-use': 'teal',
  'session-started': 'teal',
  'session-stopped': 'grey',
  'network-changed': 'teal',
  'network-disconnect': 'grey',
  'network-coa': 'grey',
  'disconnect-failed': 'red',
  'rate-change-failed': 'red',
  'imei-changed': 'red',
  'ip-changed': 'blue',
  rejected: 'red',
  'usage-reached': 'orange',
  'quota-reached': 'red',
  overage: 'red',
  'data-stopped': 'red',
  'data-slowed': 'orange',
  'data-opened': 'teal',
  'pre-activation-ended': 'orange',
  'bundle-ordered': 'purple',
  'bundle-started': 'purple',
  'bundle-ended': 'purple',
  'tags-changed': 'grey',
  transferred: 'blue',
  reset: 'orange',
  'cycle-started': 'purple',
} as const satisfies Record<string, Tone>;
type Kind = keyof typeof kinds;

const isKind = (name: string): name is Kind => Object.hasOwn(kinds, name);

/** Other names of the same fact. */
const aliases: Readonly<Record<string, Kind>> = {
  'session-opened': 'session-started',
  'session-closed': 'session-stopped',
};

/** `sim.imei_changed` → `imei-changed`: modules name their facts by their own prefix. */
export const plainKind = (kind: string): string => {
  const plain = kind.replace(/^sim[.:]/, '').replaceAll(/[._:]/g, '-');
  return Object.hasOwn(aliases, plain) ? (aliases[plain] ?? plain) : plain;
};

const humanised = (kind: string): string => {
  const text = plainKind(kind).replaceAll('-', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export interface EventWords {
  title: string;
  /** Its facts in words; empty when the title says it all. */
  detail: string;
  /** The same with the recorded values of those that words stand for, for a tooltip. */
  exact: string;
  tone: Tone;
}

interface Words {
  t: TFunction;
  format: Format;
}

/** An event as people read it. A kind or fact without words of its own is shown as it is, never dropped. */
export const eventWords = (event: Pick<SimEvent, 'kind' | 'facts'>, words: Words): EventWords => {
  const kind = plainKind(event.kind);
  const detail = factParts(event.facts, words).join(' · ');
  const recorded = codedFacts.flatMap((name) => {
    const value = event.facts[name];
    return value === null || value === undefined || value === '' ? [] : [`${name}: ${String(value)}`];
  });
  return {
    title: isKind(kind) ? words.t(`sim.events.kinds.${kind}`) : humanised(event.kind),
    detail,
    exact: [detail, ...recorded].filter(Boolean).join('\n'),
    tone: isKind(kind) ? kinds[kind] : 'grey',
  };
};

/** Facts that are recorded as terms of a protocol or of our own, and shown in words. */
const codedFacts = ['reason', 'cause', 'result', 'error_cause', 'policy', 'rate_kbps'] as const;

type Facts = SimEvent['facts'];
type FactValue = Facts[string];

/** Facts that say one thing together, in reading order; each takes the facts it has said. */
const factParts = (facts: Facts, { t, format }: Words): string[] => {
  const left = new Map(Object.entries(facts).filter(([, value]) => value !== null && value !== ''));
  const take = (name: string): FactValue | undefined => {
    const value = left.get(name);
    left.delete(name);
    return value;
  };
  const parts = [
    change(take('from'), take('to'), { t, format }),
    network(take),
    plain(take('bundle')),
    labelled('cell', take('cell')),
    labelled('imei', take('imei')),
    labelled('ip', take('ip')),
    labelled('apn', take('apn')),
    percent(take('percent')),
    amounts(take('bytes') ?? take('used_bytes'), take('limit_bytes')),
    policy(take('policy')),
    rate(take('rate_kbps'), facts),
    coded(take('result'), resultWords),
    coded(take('error_cause'), errorCauseWords),
    coded(take('reason'), reasonWords),
    coded(take('cause'), causeWords),
    moved('device', take('device_name_before'), take('device_name')),
    moved('tags', take('tags_before'), take('tags')),
    take('notes') === undefined ? undefined : t('sim.events.fact.notes'),
    labelled('order', take('order')),
    labelled('task', take('task')),
    labelled('gateway', take('gateway')),
    labelled('attempts', take('attempts')),
    labelled('session', take('session')),
  ];
  const rest = [...left].map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`);
  return [...parts.filter((part): part is string => Boolean(part)), ...rest];

  function labelled(
    name: 'cell' | 'imei' | 'ip' | 'apn' | 'order' | 'task' | 'gateway' | 'attempts' | 'session',
    value?: FactValue,
  ) {
    return value === undefined ? undefined : t(`sim.events.fact.${name}`, { value: String(value) });
  }
  function coded(value: FactValue | undefined, inWords: (term: string, t: TFunction) => string) {
    return value === undefined ? undefined : inWords(String(value), t);
  }
  /** What a text was before and is now, either of which may be nothing. */
  function moved(name: 'device' | 'tags', before?: FactValue, after?: FactValue) {
    if (before === undefined && after === undefined) return undefined;
    return t(`sim.events.fact.${name}`, { value: [before ?? '—', after ?? '—'].map(String).join(' → ') });
  }
  function rate(value: FactValue | undefined, { rate_kbps: recorded }: Facts) {
    if (recorded === null) return t('sim.events.fact.rateOpen');
    return value === undefined ? undefined : t('sim.events.fact.rate', { value: String(value) });
  }
  function policy(value?: FactValue) {
    const known = overagePolicies.find((one) => one === value);
    return known ? t(`sim.bundle.overage.${known}`) : plain(value);
  }
  function percent(value?: FactValue) {
    return typeof value === 'number' ? format.percent(value / 100) : plain(value);
  }
  function amounts(used?: FactValue, limit?: FactValue) {
    const text = (value: FactValue | undefined) =>
      typeof value === 'number' ? format.bytes(value).text : plain(value);
    if (used === undefined || limit === undefined) return text(used ?? limit);
    return t('sim.events.fact.of', { used: text(used) ?? '', limit: text(limit) ?? '' });
  }
};

const plain = (value?: FactValue): string | undefined => (value === undefined ? undefined : String(value));

/** "4G · Vodafone DE · 262-02", from whatever of it is known. */
const network = (take: (name: string) => FactValue | undefined): string | undefined => {
  const [whole, radio, operator, country, mcc, mnc] = [
    take('network') ?? take('plmn'),
    radioName(take('radio')),
    take('operator'),
    take('country'),
    take('mcc'),
    take('mnc'),
  ].map((value) => plain(value ?? undefined));
  const name = [operator, country].filter(Boolean).join(' ');
  return [radio, whole ?? name, mcc && mnc ? `${mcc}-${mnc}` : undefined].filter(Boolean).join(' · ');
};

/** By name, or by its place in the contract's list, as the intake records it; 0 is not known. */
const radioName = (value?: FactValue): FactValue | undefined =>
  typeof value === 'number' ? (radioTypes[value - 1] ?? undefined) : value;

/** "Active → Paused", "3569… → 4901…" */
const change = (from: FactValue | undefined, to: FactValue | undefined, { t }: Words): string | undefined => {
  const word = (value: FactValue | undefined): string | undefined => {
    const lifecycle = lifecycleSchema.safeParse(value);
    return lifecycle.success ? t(`sim.lifecycle.${lifecycle.data}`) : plain(value);
  };
  if (from === undefined && to === undefined) return undefined;
  return to === undefined ? word(from) : [word(from), word(to)].filter(Boolean).join(' → ');
};
