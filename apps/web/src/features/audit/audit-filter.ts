import type { auditFilterSchema } from '@simcube/contract/audit';
import type { z } from 'zod';
import type { TimeZoneChoice } from '../../lib/time/index.ts';
import type { AuditSearch } from './search.ts';

type AuditFilter = z.output<typeof auditFilterSchema>;

/** First and last instant of a day in the zone on screen. */
const dayStart = (day: string, zone: TimeZoneChoice): Date =>
  new Date(`${day}T00:00:00.000${zone === 'UTC' ? 'Z' : ''}`);
const dayEnd = (day: string, zone: TimeZoneChoice): Date =>
  new Date(`${day}T23:59:59.999${zone === 'UTC' ? 'Z' : ''}`);

/** The filter as the server takes it. */
export const auditFilterOf = (
  { search, action, actor, from, to }: AuditSearch,
  zone: TimeZoneChoice,
): AuditFilter => ({
  ...(search === undefined ? {} : { search }),
  ...(action === undefined ? {} : { action }),
  ...(actor === undefined ? {} : { actor_id: actor }),
  ...(from === undefined ? {} : { from: dayStart(from, zone).toISOString() }),
  ...(to === undefined ? {} : { to: dayEnd(to, zone).toISOString() }),
});

export const isFiltered = (search: AuditSearch): boolean =>
  Object.keys(auditFilterOf(search, 'UTC')).length > 0;
