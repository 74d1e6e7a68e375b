import type { CallOptions } from '../api-client/index.ts';

/** For a call that orders what a preview showed: the server refuses it if it would now change something else. */
export const agreedTo = (preview: { digest?: string } | null | undefined): Pick<CallOptions, 'agreed'> =>
  preview?.digest === undefined ? {} : { agreed: { preview_digest: preview.digest } };

/** After a refusal, the preview is outdated. */
export const refetchOnRefusal = <T>(sent: Promise<T>, refetch: () => Promise<unknown>): Promise<T> =>
  sent.catch((reason: unknown) => {
    void refetch();
    throw reason;
  });
