import { endpoints, type ResponseOf } from '@simcube/contract';
import type { OperationAnswer, Preview, SimSelection } from '@simcube/contract/sim';
import { useQuery } from '@tanstack/react-query';
import { type ApiFailure, call } from '../../../lib/api-client/index.ts';

/** A file as the server keeps it for a while, what it would do, and what is wrong in it. */
export type ReadFile = ResponseOf<typeof endpoints.sim.parseTransfer> & { name: string };

interface Asked {
  code: string | undefined;
  selection: SimSelection | undefined;
}

/** What the transfer of a selection would do, as of now. */
export const useTransferPreview = ({ code, selection }: Asked) =>
  useQuery<Preview | null, ApiFailure>({
    queryKey: ['sim.preview', 'transfer', code, selection],
    queryFn: async ({ signal }) => {
      const body = { target_code: code ?? '', selection, preview: true };
      return (await call(endpoints.sim.transfer, { body, signal, announce: false })).data.preview;
    },
    enabled: code !== undefined && selection !== undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

interface Order {
  target_code: string;
  selection?: SimSelection | undefined;
  upload_id?: string | undefined;
}

export const orderTransfer = async (body: Order): Promise<OperationAnswer['task']> =>
  (await call(endpoints.sim.transfer, { body, announce: false })).data.task;
