import { type SqlBool, sql } from 'kysely';
import type { Fragment } from '../sim-scope.views.ts';

/** The indexed expression, for the SIM table under the alias `s`. */
const shortTexts = sql`sim_short_texts(s.iccid, s.imsi, s.msisdn, s.last_imei, s.device_name, s.notes)`;

/**
 * An indexable condition for SIMs that a short text finds, by its first two letters: in any field except the
 * tags, or in one.
 */
export const matchesShortText = (text: string, field?: 'device_name' | 'notes'): Fragment<SqlBool> => {
  const prefix = sql`left(folded(${text.trim()}), 2)`;
  const inNotes = sql`E'\\n' || ${prefix}`;
  if (field === undefined) return sql`${shortTexts} && array[${prefix}, ${inNotes}]`;
  return sql`${shortTexts} @> array[${field === 'notes' ? inNotes : prefix}]`;
};

/** An indexable condition for SIMs whose name or notes match the pattern. */
export const matchesWords = (like: string): Fragment<SqlBool> =>
  sql`sim_words(s.device_name, s.notes) like folded(${like})`;
