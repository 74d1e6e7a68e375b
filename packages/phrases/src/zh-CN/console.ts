import type { ConsolePhrases } from '../shape.ts';
import { account } from './account.ts';
import { audit } from './audit.ts';
import { dashboard } from './dashboard.ts';
import { organisation } from './organisation.ts';
import { settings } from './settings.ts';
import { sim } from './sim.ts';
import { task } from './task.ts';

export const consoleBundle: ConsolePhrases = { account, audit, dashboard, organisation, settings, sim, task };
