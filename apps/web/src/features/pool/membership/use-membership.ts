import { endpoints } from '@simcube/contract';
import type { OperationResponse, Preview, SimSelection } from '@simcube/contract/sim';
import { call } from '../../../lib/api-client/index.ts';
import { useAnswerNow } from '../../../ui/answer/index.ts';

export type Membership = 'enrol' | 'exit';

interface Asked {
  name: Membership;
  poolId: string;
  selection: SimSelection | undefined;
}

const send = async (
  { name, poolId, selection }: Asked,
  options: { preview: boolean; signal?: AbortSignal; idempotencyKey?: string },
): Promise<OperationResponse> => {
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

/** What would happen to the SIMs. */
export const useMembershipPreview = (asked: Asked) =>
  useAnswerNow<Preview | null>({
    key: ['pool.membership-preview', asked.name, asked.poolId, asked.selection],
    ask: async (signal) => (await send(asked, { preview: true, signal })).preview,
    enabled: asked.selection !== undefined,
  });

/** Adds or removes SIMs by a task. */
export const orderMembership = async (
  asked: Asked,
  idempotencyKey: string,
): Promise<OperationResponse['task']> => (await send(asked, { preview: false, idempotencyKey })).task;
