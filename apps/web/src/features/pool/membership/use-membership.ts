import { endpoints } from '@simcube/contract';
import type { OperationResponse, Preview, SimSelection } from '@simcube/contract/sim';
import { call } from '../../../lib/api-client/index.ts';
import { useFreshQuery } from '../../../ui/query/index.ts';

export type MembershipAction = 'enrol' | 'exit';

interface MembershipRequest {
  action: MembershipAction;
  poolId: string;
  selection: SimSelection | undefined;
}

const send = async (
  { action, poolId, selection }: MembershipRequest,
  options: { preview: boolean; signal?: AbortSignal },
): Promise<OperationResponse> => {
  if (!selection) throw new Error('Nothing is selected');
  const { preview, ...rest } = options;
  const request = {
    params: { poolId },
    body: { selection, preview },
    announce: false,
    ...rest,
  } as const;
  return (await call(endpoints.pool[action], request)).data;
};

/** What would happen to the SIMs. */
export const useMembershipPreview = (request: MembershipRequest) =>
  useFreshQuery<Preview | null>({
    key: ['pool.membership-preview', request.action, request.poolId, request.selection],
    request: async (signal) => (await send(request, { preview: true, signal })).preview,
    enabled: request.selection !== undefined,
  });

/** Adds or removes SIMs by a task. */
export const submitMembership = async (request: MembershipRequest): Promise<OperationResponse['task']> =>
  (await send(request, { preview: false })).task;
