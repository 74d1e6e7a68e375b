import { endpoints, limits, type ResponseOf } from '@simcube/contract';
import { useEffect, useRef, useState } from 'react';
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
  // The response to an earlier action, or to one before the text was edited, is for identifiers that are no longer shown.
  const latestAction = useRef(0);
  useEffect(
    () => () => {
      latestAction.current += 1;
    },
    [],
  );
  const identifiers = splitIdentifiers(text);
  const replaceText = (next: string): void => {
    setText(next);
    onText?.();
  };
  const run = async <T>(
    activity: Activity,
    request: () => Promise<{ data: T }>,
    onResponse: (data: T) => void,
  ): Promise<void> => {
    latestAction.current += 1;
    const action = latestAction.current;
    const ifLatest = (work: () => void): void => {
      if (action === latestAction.current) work();
    };
    setBusy(activity);
    setRefusals({});
    await attempt(
      async () => {
        const { data } = await request();
        ifLatest(() => onResponse(data));
      },
      (failure) => ifLatest(() => setRefusals({ [activity]: messageOf(failure) })),
    );
    ifLatest(() => setBusy(undefined));
  };
  return {
    text,
    identifiers,
    tooMany: identifiers.length > limits.bulkSearch,
    fileName,
    busy,
    /** Why the server refused the file or the identifiers, as text. */
    refusals,
    /** A file that is still being read is ignored. */
    enter: (next: string): void => {
      latestAction.current += 1;
      setBusy(undefined);
      if (busy === 'file') setFileName(undefined);
      replaceText(next);
    },
    /** The identifiers of a file replace those entered. */
    read: (file: File): Promise<void> => {
      setFileName(file.name);
      return run(
        'file',
        () => upload(endpoints.sim.readIdentifiers, { file, announce: false }),
        ({ identifiers: found }) => replaceText(found.join('\n')),
      );
    },
    search: (onFound: (found: ResolvedIdentifiers) => void): Promise<void> =>
      run(
        'search',
        () => call(endpoints.sim.resolveIdentifiers, { body: { identifiers }, announce: false }),
        onFound,
      ),
  };
};
