import type { Phrases } from '../shape.ts';
import { billDocument } from './bill-document.ts';
import { consoleBundle } from './console.ts';
import { deferredBundle } from './deferred.ts';
import { diagnoseReport } from './diagnose-report.ts';
import { errors } from './errors.ts';
import { files } from './files.ts';
import { mail } from './mail.ts';
import { notifications } from './notifications.ts';
import { place } from './place.ts';
import { publicBundle } from './public.ts';
import { signature } from './signature.ts';

export const bundle: Phrases = {
  ...publicBundle,
  ...consoleBundle,
  ...deferredBundle,
  errors: { ...publicBundle.errors, ...errors, signature },
  billDocument,
  diagnoseReport,
  files,
  mail,
  notifications,
  place,
};
