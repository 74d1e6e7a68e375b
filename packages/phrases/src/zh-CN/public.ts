import type { PublicPhrases } from '../shape.ts';
import { common } from './common.ts';
import { errors } from './errors.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { shell } from './shell.ts';

export const publicBundle: PublicPhrases = { common, errors, identity, kit, legal, shell };
