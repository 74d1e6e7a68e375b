import type { Phrases } from '../shape.ts';
import { consoleBundle } from './console.ts';
import { diagnoseReport } from './diagnose-report.ts';
import { files } from './files.ts';
import { laterBundle } from './later.ts';
import { mail } from './mail.ts';
import { notifications } from './notifications.ts';
import { place } from './place.ts';
import { publicBundle } from './public.ts';

export const bundle: Phrases = {
  ...publicBundle,
  ...consoleBundle,
  ...laterBundle,
  diagnoseReport,
  files,
  mail,
  notifications,
  place,
};
