import type { PublicPhrases } from '../shape.ts';
import { common } from './common.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { shell } from './shell.ts';
import { shownErrors } from './shown-errors.ts';

export const publicBundle: PublicPhrases = { common, errors: shownErrors, identity, kit, legal, shell };
