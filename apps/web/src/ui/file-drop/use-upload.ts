import { useRef, useState } from 'react';
import { messageOf } from '../../lib/api-client/index.ts';
import { useSubmit } from '../../lib/submit/index.ts';
import type { FileDropProps } from './file-drop.tsx';
import { type FileRules, fileRulesOf } from './file-rules.ts';

/**
 * Uploads the file of a `FileDrop` and shows why the server refused it; returns all of its props but the label.
 * @param send uploads the file and keeps the result. Receives the id of this field's previous upload, which the server can discard,
 * and returns that of the new one, or null if it has none
 */
export const useUpload = (
  endpoint: Parameters<typeof fileRulesOf>[0],
  send: (file: File, replaces: string | undefined) => Promise<string | null>,
): Omit<FileDropProps, 'label'> & { rules: FileRules } => {
  const [fileName, setFileName] = useState<string>();
  const previousId = useRef<string>(undefined);
  const { sending, refusal, submit } = useSubmit({ mayAbandon: true });
  const read = async (file: File): Promise<void> => {
    setFileName(file.name);
    previousId.current = (await send(file, previousId.current)) ?? previousId.current;
  };
  return {
    busy: sending,
    fileName,
    problem: refusal,
    rules: fileRulesOf(endpoint),
    onFile: (file) =>
      void submit(
        () => read(file),
        (failure) => {
          setFileName(undefined);
          return messageOf(failure);
        },
      ),
  };
};
