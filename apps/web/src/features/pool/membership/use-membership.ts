import { endpoints } from '@simcube/contract';
import type { OperationAnswer, Preview, SimSelection } from '@simcube/contract/sim';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiFailure, call, messageOf } from '../../../lib/api-client/index.ts';
import { followTask } from '../../../lib/followed-tasks/index.ts';

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

interface Ends {
  onStarted?: (() => void) | undefined;
  onClose: () => void;
}

/** Orders it as a task, which is followed wherever the person is; what is refused keeps the reason. */
export const useMembershipOrder = ({ onStarted, onClose }: Ends) => {
  const client = useQueryClient();
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const run = async (asked: Asked): Promise<void> => {
    setSending(true);
    setRefusal(undefined);
    try {
      const { task } = await send(asked, { preview: false });
      if (task) followTask(task);
      onStarted?.();
      onClose();
      void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      setRefusal(messageOf(error));
    } finally {
      setSending(false);
    }
  };
  return {
    sending,
    refusal,
    submit: (asked: Asked): void => {
      run(asked).catch((error: unknown) => console.error('order failed', error));
    },
  };
};
