import { limits } from '@simcube/contract';
import type { FileRules } from '../../../ui/file-drop/index.ts';

/** What the specification lets through (section 5, *Uploads*); the size is each call's own. */
export const fileRulesOf = ({ upload }: { upload: { maxBytes: number } }): FileRules => ({
  formats: ['csv', 'xls', 'xlsx'],
  maxBytes: upload.maxBytes,
  nameLength: limits.upload.nameLength,
});
