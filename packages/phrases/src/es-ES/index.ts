import type { Phrases } from '../shape.ts';
import { common } from './common.ts';
import { dashboard } from './dashboard.ts';
import { diagnose } from './diagnose.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { identity } from './identity.ts';
import { kit } from './kit.ts';
import { legal } from './legal.ts';
import { mail } from './mail.ts';
import { operations } from './operations.ts';
import { service } from './service.ts';
import { shell } from './shell.ts';
import { sim } from './sim.ts';
import { simDetail } from './sim-detail.ts';
import { simList } from './sim-list.ts';
import { task } from './task.ts';

export const bundle: Phrases = {
  common,
  dashboard,
  diagnose,
  errors,
  files,
  identity,
  kit,
  legal,
  mail,
  operations,
  service,
  shell,
  sim,
  simList,
  simDetail,
  task,
};
