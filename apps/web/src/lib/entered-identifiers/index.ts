import { endpoints, limits, type ResponseOf } from '@simcube/contract';
import { useState } from 'react';
import { attempt, call, messageOf, upload } from '../api-client/index.ts';
import { splitIdentifiers } from '../identifiers/index.ts';

export type ResolvedIdentifiers = ResponseOf<typeof endpoints.sim.resolveIdentifiers>;

/** The current action: reading identifiers from a file, or searching SIMs by them. */
type Activity = 'file' | 'search';

/** SIM identifiers that were pasted or read from a file, and the SIMs found for them. */
export const useEnteredIdentifiers = (onText?: () => void) => {
  const [text, setText] = useState('');
  const [fileName, setFileName] = useState<string>();
  const [busy, setBusy] = useState<Activity>();
  const [refusals, setRefusals] = useState<Partial<Record<Activity, string>>>({});
  const identifiers = splitIdentifiers(text);
  const enter = (next: string): void => {
    setText(next);
    onText?.();
  };
  const run = async (activity: Activity, work: () => Promise<void>): Promise<void> => {
    setBusy(activity);
    setRefusals({});
    await attempt(work, (failure) => setRefusals({ [activity]: messageOf(failure) }));
    setBusy(undefined);
  };
  return {
    text,
    identifiers,
    tooMany: identifiers.length > limits.bulkSearch,
    fileName,
    busy,
    /** Why the server refused the file or the identifiers, as text. */
    refusals,
    enter,
    /** The identifiers of a file replace those entered. */
    read: (file: File): Promise<void> =>
      run('file', async () => {
        setFileName(file.name);
        const { data } = await upload(endpoints.sim.readIdentifiers, { file, announce: false });
        enter(data.identifiers.join('\n'));
      }),
    search: (onFound: (found: ResolvedIdentifiers) => void): Promise<void> =>
      run('search', async () => {
        const { data } = await call(endpoints.sim.resolveIdentifiers, {
          body: { identifiers },
          announce: false,
        });
        onFound(data);
      }),
  };
};
