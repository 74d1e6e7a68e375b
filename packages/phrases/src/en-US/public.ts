import { common } from './common.ts';
import { errors } from './errors.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { shell } from './shell.ts';

/** What the pages before the sign-in and the frame of the console need: fetched first. */
export const publicBundle = { common, errors, identity, kit, legal, shell };
