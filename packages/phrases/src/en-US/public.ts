import { common } from './common.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { shell } from './shell.ts';
import { shownErrors } from './shown-errors.ts';

/** Phrases of the pages before the sign-in and of the console's frame: fetched first. */
export const publicBundle = { common, errors: shownErrors, identity, kit, legal, shell };
