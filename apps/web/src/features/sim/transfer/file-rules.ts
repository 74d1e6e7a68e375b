import { limits } from '@simcube/contract';
import type { FileRules } from '../../../ui/file-drop/index.ts';

/** The files that the specification allows (section 5, *Uploads*); each call has its own maximum size. */
export const fileRulesOf = ({ upload }: { upload: { maxBytes: number } }): FileRules => ({
  formats: ['csv', 'xls', 'xlsx'],
  maxBytes: upload.maxBytes,
  nameLength: limits.upload.nameLength,
});
