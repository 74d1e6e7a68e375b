import { type Language, languages } from '@simcube/contract';
import type {
  AutoflowTemplate,
  Measured,
  TemplateField,
  TemplateText,
  TriggerKind,
} from '@simcube/contract/autoflow';
import type { Lifecycle } from '@simcube/contract/sim';
import { phrase } from '@simcube/phrases';
import { formatFigure, shortList } from './message.rules.ts';

/** A SIM with the fields for templates. */
export interface FiredSim {
  device_name: string | null;
  imsi: string;
  msisdn: string | null;
  imei: string | null;
  lifecycle: Lifecycle;
  tags: readonly string[];
}

/** The subject of a message: one firing, or several that were gathered. */
export interface FiredMessage {
  rule: string;
  organisation: string;
  trigger: TriggerKind;
  time: string;
  iccids: readonly string[];
  measured: Measured;
  /** The SIMs that the organisation still owns; others are only named by ICCID. */
  sims: readonly FiredSim[];
}

type TemplateTexts = AutoflowTemplate['texts'];

/** Number of values that a field of a short message contains. */
const maxShort = 2;

type Values = Record<TemplateField, string>;

/** `max`: number of values in a field of gathered firings; ten if omitted. */
const valuesOf = (message: FiredMessage, language: Language, max?: number): Values => {
  const { rule, organisation, trigger, time, iccids, measured, sims } = message;
  const figure = (value: Measured['value']) =>
    value === null ? '—' : formatFigure(value, measured.unit, language);
  /** The first distinct values; a dash if there are none. */
  const joinDistinct = (values: readonly (string | null)[]): string =>
    shortList([...new Set(values.filter((value) => value !== null && value !== ''))] as string[], max) || '—';
  return {
    rule,
    organisation,
    time,
    event: phrase(language, `autoflow.triggers.${trigger}`),
    iccid: shortList(iccids, max),
    device_name: joinDistinct(sims.map((sim) => sim.device_name)),
    imsi: joinDistinct(sims.map((sim) => sim.imsi)),
    msisdn: joinDistinct(sims.map((sim) => sim.msisdn)),
    imei: joinDistinct(sims.map((sim) => sim.imei)),
    lifecycle: joinDistinct(sims.map((sim) => phrase(language, `sim.lifecycle.${sim.lifecycle}`))),
    tags: joinDistinct(sims.flatMap((sim) => sim.tags)),
    value: figure(measured.value),
    threshold: figure(measured.threshold),
    sims: String(iccids.length),
  };
};

/** A template's texts with their fields filled in. */
export const fillTexts = (texts: TemplateTexts, message: FiredMessage): TemplateTexts =>
  Object.fromEntries(
    languages.flatMap((language) => {
      const text = texts[language];
      if (!text) return [];
      const values = { long: valuesOf(message, language), short: valuesOf(message, language, maxShort) };
      return [[language, fillText(text, values)]];
    }),
  );

const fillText = (text: TemplateText, { long, short }: { long: Values; short: Values }): TemplateText => {
  const fill = (words: string, values: Readonly<Record<string, string>>) =>
    words.replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (placeholder, name: string) => values[name] ?? placeholder);
  return {
    subject: fill(text.subject, long),
    text: fill(text.text, long),
    sms: fill(text.sms, short),
  };
};
