export interface FileRules {
  /** Without the dot. */
  formats: readonly string[];
  maxBytes: number;
  /** The name must have fewer characters. */
  nameLength: number;
}

export type FileProblem = 'uploadFormat' | 'uploadTooLarge' | 'uploadNameTooLong' | 'uploadEmpty';

const bytesPerMegabyte = 1024 * 1024;
export const megabytes = (bytes: number): number => Math.floor(bytes / bytesPerMegabyte);

/** What the server would refuse by name and size alone, without sending it there. */
export const problemOf = (
  { name, size }: Pick<File, 'name' | 'size'>,
  { formats, maxBytes, nameLength }: FileRules,
): FileProblem | undefined => {
  const format = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : '';
  if (!formats.includes(format)) return 'uploadFormat';
  // Characters as people count them: a pair of surrogates is one.
  if ([...name].length >= nameLength) return 'uploadNameTooLong';
  if (size > maxBytes) return 'uploadTooLarge';
  return size === 0 ? 'uploadEmpty' : undefined;
};
