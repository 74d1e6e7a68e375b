import type { Phrases } from '../shape.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { errors } from './errors.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { mail } from './mail.ts';
import { shell } from './shell.ts';
import { sim } from './sim.ts';
import { task } from './task.ts';

export const bundle: Phrases = { common, dashboard, errors, identity, kit, legal, mail, shell, sim, task };
