import { endpoints, type ResponseOf } from '@simcube/contract';
import type { OperationResponse, Preview, SimSelection } from '@simcube/contract/sim';
import { call } from '../../../lib/api-client/index.ts';
import { agreedTo } from '../../../lib/orders/index.ts';
import { useFreshQuery } from '../../../ui/query/index.ts';

/** A file that the server stores temporarily, its preview, and its errors. */
export type ParsedFile = ResponseOf<typeof endpoints.sim.parseTransfer> & { name: string };

interface TransferRequest {
  code: string | undefined;
  selection: SimSelection | undefined;
}

/** The preview of transferring a selection. */
export const useTransferPreview = ({ code, selection }: TransferRequest) =>
  useFreshQuery<Preview | null>({
    key: ['sim.preview', 'transfer', code, selection],
    request: async (signal) => {
      const body = { target_code: code ?? '', selection, preview: true };
      return (await call(endpoints.sim.transfer, { body, signal, announce: false })).data.preview;
    },
    enabled: code !== undefined && selection !== undefined,
  });

interface TransferBody {
  target_code: string;
  selection?: SimSelection | undefined;
  upload_id?: string | undefined;
}

/** @param preview what the person agreed to, for a selection */
export const submitTransfer = async (
  body: TransferBody,
  preview?: Preview | null,
): Promise<OperationResponse['task']> =>
  (await call(endpoints.sim.transfer, { body, ...agreedTo(preview), announce: false })).data.task;
