import { endpoints } from '@simcube/contract';
import type { OperationAnswer, Preview, SimSelection } from '@simcube/contract/sim';
import { useQuery } from '@tanstack/react-query';
import { type ApiFailure, call } from '../../../lib/api-client/index.ts';

export type Membership = 'enrol' | 'exit';

interface Asked {
  name: Membership;
  poolId: string;
  selection: SimSelection | undefined;
}

const send = async (
  { name, poolId, selection }: Asked,
  options: { preview: boolean; signal?: AbortSignal },
): Promise<OperationAnswer> => {
  if (!selection) throw new Error('Nothing is selected');
  const { preview, ...rest } = options;
  const request = {
    params: { poolId },
    body: { selection, preview },
    announce: false,
    ...rest,
  } as const;
  return (await call(endpoints.pool[name], request)).data;
};

/** What would become of the SIMs, as of now: never from a cache. */
export const useMembershipPreview = (asked: Asked) =>
  useQuery<Preview | null, ApiFailure>({
    queryKey: ['pool.membership-preview', asked.name, asked.poolId, asked.selection],
    queryFn: async ({ signal }) => (await send(asked, { preview: true, signal })).preview,
    enabled: asked.selection !== undefined,
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });

/** Takes SIMs in or out as a task. */
export const orderMembership = async (asked: Asked): Promise<OperationAnswer['task']> =>
  (await send(asked, { preview: false })).task;
