import type { auditFilterSchema } from '@simcube/contract/audit';
import type { z } from 'zod';
import { endOfDay, startOfDay, type TimeZoneChoice } from '../../lib/time/index.ts';
import { type AuditSearch, auditSearch } from './search.ts';

type AuditFilter = z.output<typeof auditFilterSchema>;

/** The filter in the server's format. */
export const auditFilterOf = (search: AuditSearch, zone: TimeZoneChoice): AuditFilter => {
  const { actor, from, to, ...same } = auditSearch.filterOf(search);
  return { ...same, actor_id: actor, from: startOfDay(from, zone), to: endOfDay(to, zone) };
};
