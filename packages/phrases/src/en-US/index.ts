import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { mail } from './mail.ts';
import { service } from './service.ts';
import { operations } from './operations.ts';
import { shell } from './shell.ts';
import { sim } from './sim.ts';
import { simList } from './sim-list.ts';
import { simDetail } from './sim-detail.ts';
import { task } from './task.ts';

export const bundle = {
  common,
  dashboard,
  errors,
  files,
  identity,
  kit,
  legal,
  mail,
  service,
  shell,
  sim,
  simDetail,
  task,
};
