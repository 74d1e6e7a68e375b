import { endpoints } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { SmsSent } from '@simcube/contract/sms';
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import {
  ApiFailure,
  call,
  endpointQuery,
  explanationOf,
  isOutcomeUnknown,
} from '../../lib/api-client/index.ts';
import { followTask } from '../../lib/followed-tasks/index.ts';
import { session } from '../../lib/session/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';
import { clearUnanswered, idempotencyKeyOf } from './unanswered-sends.ts';

/** The remaining quota of the month. */
export const useQuota = () => useApiQuery(endpointQuery(endpoints.sms.remainUsage)).data?.data;

/** Whether the person may send; the server checks again. */
export const maySend = (): boolean => {
  const { key, action } = endpoints.sms.send.access;
  return session.can(key, action);
};

/**
 * Whether the organisation can send at all: it is allowed to, and there is a connection to the network. Undefined until known,
 * and for people who may not see messages.
 */
export const useCanSend = (): boolean | undefined => {
  const orgCode = session.get('partnerCode') ?? '';
  const { key, action } = endpoints.sms.hasConfig.access;
  const query = endpointQuery(endpoints.sms.hasConfig, { params: { orgCode } });
  return useApiQuery({ ...query, enabled: session.can(key, action) }).data?.data;
};

export interface SendRequest {
  selection: SimSelection;
  content: string;
}

/**
 * Sends a message once, however often it is called: while one is being sent no other is, and an order whose response was lost
 * keeps its key, even across a reload.
 */
export const useSend = (onSent: (sent: SmsSent) => void) => {
  const client = useQueryClient();
  const busy = useRef(false);
  const [sending, setSending] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const run = async (order: SendRequest): Promise<void> => {
    if (busy.current) return;
    busy.current = true;
    setSending(true);
    setRefusal(undefined);
    const body = { ...order, preview: false };
    const idempotencyKey = idempotencyKeyOf(body);
    try {
      const { data } = await call(endpoints.sms.send, { body, idempotencyKey, announce: false });
      clearUnanswered(body);
      if (data.task) followTask(data.task);
      for (const { id } of [endpoints.sms.remainUsage, endpoints.sms.list, endpoints.sms.listOfSim])
        void client.invalidateQueries({ queryKey: [id] });
      void client.invalidateQueries({ queryKey: [endpoints.task.listMine.id] });
      onSent(data);
    } catch (error) {
      if (!(error instanceof ApiFailure)) throw error;
      if (!isOutcomeUnknown(error)) clearUnanswered(body);
      setRefusal(explanationOf(error));
    } finally {
      busy.current = false;
      setSending(false);
    }
  };
  return {
    sending,
    refusal,
    send: (order: SendRequest): void => {
      run(order).catch((error: unknown) => console.error('sending failed', error));
    },
  };
};
