import { common } from './common.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { shell } from './shell.ts';
import { shownErrors } from './shown-errors.ts';

/** What the pages before the sign-in and the frame of the console need: fetched first. */
export const publicBundle = { common, errors: shownErrors, identity, kit, legal, shell };
