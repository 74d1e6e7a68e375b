import type { Pool } from '@simcube/contract/pool';
import { lastMomentOf } from '../../lib/time/last-moment.ts';

/** Address of a pool's page. */
export const poolHref = (language: string, id: string): string => `/${language}/shared/${id}`;

/** What is left of the limit; nothing when more than that was used. */
export const leftOf = ({ used_bytes: used, limit_bytes: limit }: Pool): number => Math.max(0, limit - used);

/** An instant of the last day of the running cycle: the cycle ends as the next day begins. */
export const lastDayOf = ({ cycle_ends_at: end }: Pick<Pool, 'cycle_ends_at'>): string => lastMomentOf(end);
