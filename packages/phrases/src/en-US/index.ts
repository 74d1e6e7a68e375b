import { account } from './account.ts';
import { audit } from './audit.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { errors } from './errors.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { mail } from './mail.ts';
import { organisation } from './organisation.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { sim } from './sim.ts';
import { task } from './task.ts';

export const bundle = {
  account,
  audit,
  common,
  dashboard,
  errors,
  identity,
  kit,
  legal,
  mail,
  organisation,
  settings,
  shell,
  sim,
  task,
};
