import { type Language, languages, limits } from '@simcube/contract';
import type { Measured, TriggerKind } from '@simcube/contract/autoflow';
import { moneyFormats } from '@simcube/contract/money';
import { minorDigits } from '@simcube/contract/price';
import { lifecycles } from '@simcube/contract/sim';
import { bytesText, phrase } from '@simcube/phrases';

const maxListed = 10;

/** The first of the texts, such as ICCIDs, and an ellipsis if there are more. */
export const shortList = (texts: readonly string[], max = maxListed): string =>
  texts.slice(0, max).join(', ') + (texts.length > max ? ' …' : '');

/** The time in UTC, to the minute. */
export const formatTime = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

const kilo = 1024;
const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;

/** Octets in the codes that programs receive. */
const formatOctets = (octets: number): string => {
  const power = Math.min(Math.floor(Math.log2(Math.max(octets, 1)) / 10), units.length - 1);
  return `${Math.round((octets / kilo ** power) * 100) / 100} ${units[power]}`;
};

const instant = /^\d{4}-\d\d-\d\dT/;
const countryCode = /^[A-Z]{2}$/;

/** A state or a country in a language, an instant to the minute; other values, such as an IMEI, are unchanged. */
const localised = (text: string, language: Language): string => {
  if (instant.test(text)) return formatTime(new Date(text));
  const lifecycle = lifecycles.find((one) => one === text);
  if (lifecycle) return phrase(language, `sim.lifecycle.${lifecycle}`);
  if (!countryCode.test(text)) return text;
  return new Intl.DisplayNames(language, { type: 'region' }).of(text) ?? text;
};

/** A figure, with its unit if that is octets or a currency; in a language if one is given, else with codes. */
export const formatFigure = (figure: string | number, unit: string | null, language?: Language): string => {
  if (typeof figure === 'string') return language ? localised(figure, language) : figure;
  if (unit === 'octets') return language ? bytesText(language, figure) : formatOctets(figure);
  if (unit === null || !isCurrency(unit))
    return language
      ? new Intl.NumberFormat(language, { useGrouping: 'always' }).format(figure)
      : String(figure);
  if (language) return moneyFormats(language).money({ currency: unit, amount_minor: figure });
  const digits = minorDigits(unit);
  return `${(figure / 10 ** digits).toFixed(digits)} ${unit}`;
};

/** Other units are words, or shorter. */
const isCurrency = (unit: string): boolean => /^[A-Z]{3}$/.test(unit) && unit !== 'SMS';

/** The unit of a count, after its figure. */
const unitText = (unit: string | null, language: Language): string => {
  if (unit === 'SMS') return ' SMS';
  return unit === 'hours' || unit === 'sessions' ? ` ${phrase(language, `autoflow.units.${unit}`)}` : '';
};

/**
 * The comparison, such as `1.2 GB ≥ 1 GB` (`<` only when a rule is tried out); empty without a figure. Localised if a
 * language is given, else with codes.
 */
export const comparisonOf = ({ value, threshold, unit }: Measured, language?: Language): string => {
  if (value === null) return '';
  const text = (figure: string | number): string => formatFigure(figure, unit, language);
  if (threshold === null) return text(value);
  if (typeof value !== 'number') return `${text(value)} → ${text(threshold)}`;
  const compared = `${text(value)} ${value < Number(threshold) ? '<' : '≥'} ${text(threshold)}`;
  return language ? compared + unitText(unit, language) : compared;
};

/** The comparison in each language, for mails and messages. */
export const comparisonsOf = (measured: Measured): Record<Language, string> =>
  Object.fromEntries(languages.map((language) => [language, comparisonOf(measured, language)])) as Record<
    Language,
    string
  >;

/** A SIM for which a rule fired, or is tried out. */
interface FiredFor<Id> {
  runId: Id;
  iccid: string;
  happenedAt: Date;
  measured: Measured;
}

/** The fields of a notification about firings; value and time in its texts are those of the first one. */
export const firedFields = <Id extends string | null>(
  { id, name, trigger }: { id: Id; name: string; trigger: TriggerKind },
  firings: readonly [FiredFor<Id>, ...FiredFor<Id>[]],
) => ({
  rule_id: id,
  rule_name: name,
  trigger,
  sims: firings.length,
  firings: firings
    .slice(0, limits.notifications.firings)
    .map(({ runId, iccid, happenedAt, measured: { value, threshold, unit, since } }) => ({
      run_id: runId,
      iccid,
      happened_at: happenedAt.toISOString(),
      value,
      threshold,
      unit,
      since,
    })),
  rule: name,
  time: formatTime(firings[0].happenedAt),
  iccid: shortList(firings.map(({ iccid }) => iccid)),
  comparison: comparisonOf(firings[0].measured),
});
