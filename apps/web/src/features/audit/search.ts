import type { AuditAction } from '@simcube/contract/audit';

/** What the address says of the audit trail. */
export interface AuditSearch {
  search?: string | undefined;
  action?: AuditAction[] | undefined;
  /** Id of who did it. */
  actor?: string | undefined;
  /** Days, YYYY-MM-DD, both inclusive, in the zone on screen. */
  from?: string | undefined;
  to?: string | undefined;
  page?: number | undefined;
  size?: number | undefined;
  /** Number of the entry that is open. */
  entry?: number | undefined;
}
