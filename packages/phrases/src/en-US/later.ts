import { audit } from './audit.ts';
import { cdr } from './cdr.ts';
import { heatmap } from './heatmap.ts';
import { notify } from './notify.ts';
import { pool } from './pool.ts';

/** What screens say that nobody sees first: no other screen needs it. */
export const laterBundle = { audit, cdr, heatmap, notify, pool };
