import type { Language } from '@simcube/contract';
import { rejectReasons, technologies } from '@simcube/contract/sim';
import { bytesText, type PhraseValues, phrase } from '@simcube/phrases';
import { endingOf } from './checks/network.rules.ts';
import { type Finding, type FindingName, type findings, lightOf } from './diagnose-findings.rules.ts';

type Fact = Finding['facts'][string];

/** Findings with advice: all whose light is not good. */
export type AdvisedFinding = {
  [F in FindingName]: (typeof findings)[F][1] extends 'good' ? never : F;
}[FindingName];

const isAdvised = (finding: FindingName): finding is AdvisedFinding => lightOf(finding) !== 'good';

/** A finding in a language, and what to do about it. */
export interface Worded {
  sentence: string;
  advice: string | null;
}

export const wordingOf = (language: Language) => {
  const formatFacts = factFormatter(language);
  return ({ finding, facts }: Finding): Worded => {
    const values = formatFacts(facts);
    return {
      sentence: phrase(language, `diagnoseReport.findings.${finding}`, values),
      advice: isAdvised(finding) ? phrase(language, `diagnoseReport.advice.${finding}`, values) : null,
    };
  };
};

const dayParts = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;

/** An instant in words, in UTC, which is the same wherever the report is read. */
export const instantWords = (language: Language): ((iso: string) => string) => {
  const format = new Intl.DateTimeFormat(language, {
    ...dayParts,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return (iso) => `${format.format(new Date(iso))} UTC`;
};

/** Facts → the values of a phrase's placeholders, as people read them. */
const factFormatter = (language: Language): ((facts: Finding['facts']) => PhraseValues) => {
  const instant = instantWords(language);
  const day = new Intl.DateTimeFormat(language, dayParts);
  const countries = new Intl.DisplayNames(language, { type: 'region' });
  const number = new Intl.NumberFormat(language, { useGrouping: 'always' });
  const formatFact = (name: string, value: Fact): string => {
    if (value === null) return phrase(language, 'diagnoseReport.notKnown');
    if (typeof value === 'number') {
      return name.endsWith('_bytes') ? bytesText(language, value) : number.format(value);
    }
    if (name.endsWith('_at')) return instant(value);
    if (name.endsWith('_on')) return day.format(new Date(value));
    if (name === 'technology') return technologyWords(language, value);
    return name === 'country' ? (countries.of(value) ?? value) : value;
  };
  return (facts) => ({
    ...Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, formatFact(name, value)])),
    place: placeWords(language, facts, countries),
    ending: phrase(language, `diagnoseReport.endings.${endingOf(textOf(facts.cause))}`),
    reasons: reasonsWords(language, facts),
  });
};

const textOf = (fact: Fact | undefined): string | null => (typeof fact === 'string' ? fact : null);

/** The network and the cell, with the nearest town, as far as they are known. */
const placeWords = (language: Language, facts: Finding['facts'], countries: Intl.DisplayNames): string => {
  const network = networkWords(language, facts, countries);
  const [cell, town] = [textOf(facts.cell), textOf(facts.town)];
  if (cell === null) return network;
  if (town === null) return phrase(language, 'diagnoseReport.place.inCell', { network, cell });
  return phrase(language, 'diagnoseReport.place.inCellNear', { network, cell, town });
};

/** By its operator and country, else by its number. */
const networkWords = (language: Language, facts: Finding['facts'], countries: Intl.DisplayNames): string => {
  const [country, operator, plmn] = [textOf(facts.country), textOf(facts.operator), textOf(facts.plmn)];
  if (operator === null && plmn === null) return phrase(language, 'diagnoseReport.place.unknown');
  const network =
    operator === null
      ? phrase(language, 'diagnoseReport.place.number', { plmn: plmn ?? '' })
      : phrase(language, 'diagnoseReport.place.operator', { operator });
  if (country === null) return network;
  return phrase(language, 'diagnoseReport.place.inCountry', {
    network,
    country: countries.of(country) ?? country,
  });
};

const technologyWords = (language: Language, technology: string): string => {
  const known = technologies.find((formatFact) => formatFact === technology);
  return known === undefined ? technology : phrase(language, `sim.technology.${known}`);
};

const reasonWords = (language: Language, reason: string): string =>
  phrase(language, `diagnoseReport.reasons.${rejectReasons.find((known) => known === reason) ?? 'other'}`);

/** Reasons of rejections with their counts, the most frequent first. */
const reasonsWords = (language: Language, facts: Finding['facts']): string => {
  const counted = Object.entries(facts).flatMap(([name, times]) =>
    name.startsWith('times_') && typeof times === 'number' ? [{ reason: name.slice(6), times }] : [],
  );
  const [only] = counted;
  if (only && counted.length === 1) return reasonWords(language, only.reason);
  const list = counted
    .toSorted((a, b) => b.times - a.times)
    .map(({ reason, times }) =>
      phrase(language, 'diagnoseReport.reasonTimes', { reason: reasonWords(language, reason), times }),
    );
  return new Intl.ListFormat(language, { type: 'conjunction' }).format(list);
};
