import { overagePolicies } from '@simcube/contract/bundle';
import {
  isSimEventKind,
  lifecycleSchema,
  type SimEvent,
  type SimEventFact,
  type SimEventKind,
} from '@simcube/contract/sim';
import type { TFunction } from 'i18next';
import type { Format } from '../../lib/format/index.ts';
import { lifecycleTones, type Tone } from '../../ui/status/index.ts';
import { causeText, errorCauseText, reasonText, resultText } from './fact-text.ts';
import { networkText } from './sim-display.ts';

/** The colours of their dots. */
const tones: Readonly<Record<SimEventKind, Tone>> = {
  'lifecycle-changed': 'grey',
  'pre-activation-ended': 'orange',
  transferred: 'grey',
  reset: 'orange',
  'bundle-ordered': 'purple',
  'bundle-started': 'teal',
  'bundle-ended': 'grey',
  'quota-reached': 'red',
  'data-stopped': 'red',
  'imei-changed': 'red',
  updated: 'grey',
  'tags-changed': 'grey',
  'data-off': 'red',
  'data-slowed': 'orange',
  'data-on': 'teal',
  'sms-suspended': 'orange',
  'sms-resumed': 'teal',
  'network-changed': 'teal',
  'session-started': 'teal',
  'session-stopped': 'grey',
  rejected: 'red',
  'network-disconnect': 'grey',
  'network-coa': 'grey',
  'disconnect-failed': 'red',
  'rate-change-failed': 'red',
};

const humanise = (kind: string): string => {
  const text = kind.replaceAll(/[._:-]/g, ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

export interface EventDescription {
  title: string;
  /** The event's facts as text; empty if the title says it all. */
  detail: string;
  /** The same with the recorded values of translated facts, for a tooltip. */
  exact: string;
  tone: Tone;
}

interface TextContext {
  t: TFunction;
  format: Format;
}

/** Formats an event for display. A kind or fact from another version of the server is shown unchanged, never dropped. */
export const describeEvent = (
  { kind, facts, networks = {} }: Pick<SimEvent, 'kind' | 'facts' | 'networks'>,
  context: TextContext,
): EventDescription => {
  const detail = factParts(facts, { ...context, networks }).join(' · ');
  const codes = networkFacts.filter((name) => Object.hasOwn(networks, String(facts[name])));
  const recorded = [...codedFacts, ...codes].flatMap((name) => {
    const value = facts[name];
    return value === null || value === undefined || value === '' ? [] : [`${name}: ${String(value)}`];
  });
  return {
    title: isSimEventKind(kind) ? context.t(`sim.events.kinds.${kind}`) : humanise(kind),
    detail,
    exact: [detail, ...recorded].filter(Boolean).join('\n'),
    tone: toneOf(kind, facts),
  };
};

/** A change of lifecycle has the colour of the new state. */
const toneOf = (kind: string, { to }: Facts): Tone => {
  const lifecycle = lifecycleSchema.safeParse(to);
  if (kind === 'lifecycle-changed' && lifecycle.success) return lifecycleTones[lifecycle.data];
  return isSimEventKind(kind) ? tones[kind] : 'grey';
};

/** Facts that are recorded as terms of a protocol or of our own, and shown translated. */
const codedFacts = ['reason', 'cause', 'result', 'error_cause', 'policy', 'rate_kbps'] as const;

/** Facts that may be the code of a network. */
const networkFacts = ['network', 'plmn', 'from', 'to'] as const;

type Networks = NonNullable<SimEvent['networks']>;
type Facts = SimEvent['facts'];
type FactValue = Facts[string];
type Take = (name: SimEventFact) => FactValue | undefined;

/** Groups facts that belong together, in reading order; each group consumes its facts. */
const factParts = (facts: Facts, { t, format, networks }: TextContext & { networks: Networks }): string[] => {
  const remaining = new Map(Object.entries(facts).filter(([, value]) => value !== null && value !== ''));
  const take: Take = (name) => {
    const value = remaining.get(name);
    remaining.delete(name);
    return value;
  };
  const parts = [
    changeText(take('from'), take('to'), { t, networks }),
    networkDetail(take, networks),
    asText(take('bundle')),
    labelled('cell', take('cell')),
    labelled('ip', take('ip')),
    labelled('apn', take('apn')),
    amounts(take('bytes') ?? take('used_bytes'), take('limit_bytes')),
    policy(take('policy')),
    rate(take('rate_kbps'), facts),
    coded(take('result'), resultText),
    coded(take('error_cause'), errorCauseText),
    coded(take('reason'), reasonText),
    coded(take('cause'), causeText),
    beforeAndAfter('device', take('device_name_before'), take('device_name')),
    beforeAndAfter('tags', take('tags_before'), take('tags')),
    take('notes') === undefined ? undefined : t('sim.events.fact.notes'),
    labelled('order', take('order')),
    labelled('gateway', take('gateway')),
    labelled('attempts', take('attempts')),
    labelled('session', take('session')),
  ];
  const rest = [...remaining].map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`);
  return [...parts.filter((part): part is string => Boolean(part)), ...rest];

  function labelled(
    name: 'cell' | 'ip' | 'apn' | 'order' | 'gateway' | 'attempts' | 'session',
    value?: FactValue,
  ) {
    return value === undefined ? undefined : t(`sim.events.fact.${name}`, { value: String(value) });
  }
  function coded(value: FactValue | undefined, translate: (term: string, t: TFunction) => string) {
    return value === undefined ? undefined : translate(String(value), t);
  }
  /** A text before and after; either may be missing. */
  function beforeAndAfter(name: 'device' | 'tags', before?: FactValue, after?: FactValue) {
    if (before === undefined && after === undefined) return undefined;
    return t(`sim.events.fact.${name}`, { value: [before ?? '—', after ?? '—'].map(String).join(' → ') });
  }
  function rate(value: FactValue | undefined, { rate_kbps: recorded }: Facts) {
    if (recorded === null) return t('sim.events.fact.rateOpen');
    return value === undefined ? undefined : t('sim.events.fact.rate', { value: String(value) });
  }
  function policy(value?: FactValue) {
    const known = overagePolicies.find((one) => one === value);
    return known ? t(`sim.bundle.overage.${known}`) : asText(value);
  }
  function amounts(used?: FactValue, limit?: FactValue) {
    const text = (value: FactValue | undefined) =>
      typeof value === 'number' ? format.bytes(value).text : asText(value);
    if (used === undefined || limit === undefined) return text(used ?? limit);
    return t('sim.events.fact.of', { used: text(used) ?? '', limit: text(limit) ?? '' });
  }
};

const asText = (value: FactValue | undefined): string | undefined =>
  value === undefined ? undefined : String(value);

/** A network by its name, or by its code if it has none; any other value unchanged. */
const networkName = (value: FactValue | undefined, networks: Networks): string | undefined => {
  const code = asText(value) ?? '';
  const known = Object.hasOwn(networks, code) ? networks[code] : undefined;
  const [mcc = '', mnc = ''] = code.split('-');
  return known ? networkText({ ...known, mcc, mnc, radio: null }) : asText(value);
};

/** "4G · Vodafone DE", from whatever is known. */
const networkDetail = (take: Take, networks: Networks): string | undefined =>
  [asText(take('radio')), networkName(take('network') ?? take('plmn'), networks)].filter(Boolean).join(' · ');

/** "Active → Paused", "3569… → 4901…" */
const changeText = (
  from: FactValue | undefined,
  to: FactValue | undefined,
  { t, networks }: Pick<TextContext, 't'> & { networks: Networks },
): string | undefined => {
  const valueText = (value: FactValue | undefined): string | undefined => {
    const lifecycle = lifecycleSchema.safeParse(value);
    return lifecycle.success ? t(`sim.lifecycle.${lifecycle.data}`) : networkName(value, networks);
  };
  if (from === undefined && to === undefined) return undefined;
  return to === undefined ? valueText(from) : [valueText(from), valueText(to)].filter(Boolean).join(' → ');
};
