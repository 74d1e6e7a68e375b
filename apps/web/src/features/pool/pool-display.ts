import type { Pool } from '@simcube/contract/pool';
import { lastInstantBefore } from '../../lib/time/last-instant.ts';

/** Path of a pool's page. */
export const poolHref = (language: string, id: string): string => `/${language}/shared/${id}`;

/** The remaining part of the limit; zero if usage exceeds it. */
export const remainingBytes = ({ used_bytes: used, limit_bytes: limit }: Pool): number =>
  Math.max(0, limit - used);

/** An instant on the last day of the running cycle: the cycle ends when the next day begins. */
export const lastDayOf = ({ cycle_ends_at: end }: Pick<Pool, 'cycle_ends_at'>): string =>
  lastInstantBefore(end);
