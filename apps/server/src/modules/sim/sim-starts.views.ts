import { type SqlBool, sql } from 'kysely';
import type { Fragment } from './sim-scope.views.ts';

/** As the index has it; of the table of SIMs under the alias `s`. */
const starts = sql`sim_starts(s.iccid, s.imsi, s.msisdn, s.last_imei, s.device_name, s.notes)`;

/** What the index knows of SIMs of which a field begins with the text: their first two letters; tags apart. */
export const startsWith = (text: string, { inNotes = false } = {}): Fragment<SqlBool> => {
  const start = sql`left(lower(${text.trim()}), 2)`;
  const ofNotes = sql`E'\\n' || ${start}`;
  return inNotes ? sql`${starts} @> array[${ofNotes}]` : sql`${starts} && array[${start}, ${ofNotes}]`;
};
