import { useSubmit } from '../../lib/submit/index.ts';

/** One download at a time; the API client shows failures. */
export const useDownload = (onDone?: () => void) => {
  const { sending: isBusy, submit } = useSubmit({ onDone, mayAbandon: true });
  return {
    isBusy,
    run: (download: () => Promise<void>): void => void submit(download, () => undefined),
  };
};
