import { account } from './account.ts';
import { audit } from './audit.ts';
import { dashboard } from './dashboard.ts';
import { organisation } from './organisation.ts';
import { settings } from './settings.ts';
import { sim } from './sim.ts';
import { task } from './task.ts';

/** What the screens behind the sign-in need besides. */
export const consoleBundle = { account, audit, dashboard, organisation, settings, sim, task };
