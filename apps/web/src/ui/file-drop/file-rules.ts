import { limits } from '@simcube/contract';

export interface FileRules {
  /** Without the dot. */
  formats: readonly string[];
  maxBytes: number;
  /** The name must be shorter than this. */
  nameLength: number;
}

export type FileProblem = 'uploadFormat' | 'uploadTooLarge' | 'uploadNameTooLong' | 'uploadEmpty';

const bytesPerMegabyte = 1024 * 1024;
export const megabytes = (bytes: number): number => Math.floor(bytes / bytesPerMegabyte);

/** Problems with name or size that the server would refuse, found without sending the file. */
export const problemOf = (
  { name, size }: Pick<File, 'name' | 'size'>,
  { formats, maxBytes, nameLength }: FileRules,
): FileProblem | undefined => {
  const format = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (!formats.includes(format)) return 'uploadFormat';
  // Counts characters as people do: a surrogate pair is one.
  if ([...name].length >= nameLength) return 'uploadNameTooLong';
  if (size > maxBytes) return 'uploadTooLarge';
  return size === 0 ? 'uploadEmpty' : undefined;
};

/** The files that the specification allows (section 5, *Uploads*); each call has its own maximum size. */
export const fileRulesOf = ({ upload }: { upload: { maxBytes: number } }): FileRules => ({
  formats: ['csv', 'xls', 'xlsx'],
  maxBytes: upload.maxBytes,
  nameLength: limits.upload.nameLength,
});
