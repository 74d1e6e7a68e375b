import type { Pool } from '@simcube/contract/pool';

/** Address of a pool's page. */
export const poolHref = (language: string, id: string): string => `/${language}/shared/${id}`;

/** What is left of the limit; nothing when more than that was used. */
export const leftOf = ({ used_bytes: used, limit_bytes: limit }: Pool): number => Math.max(0, limit - used);
