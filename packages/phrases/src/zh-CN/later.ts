import type { LaterPhrases } from '../shape.ts';
import { audit } from './audit.ts';
import { cdr } from './cdr.ts';
import { heatmap } from './heatmap.ts';
import { notify } from './notify.ts';
import { pool } from './pool.ts';

export const laterBundle: LaterPhrases = { audit, cdr, heatmap, notify, pool };
