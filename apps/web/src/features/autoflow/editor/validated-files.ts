import type { Draft, RuleFile } from './draft.ts';

/** Whether the rule's files are still those that were validated: a file that has changed since is not accepted. */
export const areUnchanged = async ({ kind, imei, imeis, scope, sims }: Draft): Promise<boolean> => {
  const usedFiles = [
    kind === 'imei-change' && imei === 'unlisted' ? imeis : null,
    scope === 'uploaded' ? sims : null,
  ];
  return (await Promise.all(usedFiles.map(isUnchanged))).every(Boolean);
};

const isUnchanged = async (file: RuleFile | null): Promise<boolean> => {
  if (!file?.source || !('digest' in file.reference)) return true;
  try {
    // Browsers refuse to read a file that has changed since it was chosen; without a secure context no further check is possible.
    const bytes = await file.source.arrayBuffer();
    return !isSecureContext || (await digestOf(bytes)) === file.reference.digest;
  } catch {
    return false;
  }
};

const digestOf = async (bytes: ArrayBuffer): Promise<string> =>
  [...new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
