import { endpoints } from '@simcube/contract';
import type { Preview, SimSelection } from '@simcube/contract/sim';
import type { SmsSent } from '@simcube/contract/sms';
import { useQueryClient } from '@tanstack/react-query';
import { type ApiFailure, call, endpointQuery, explanationOf } from '../../lib/api-client/index.ts';
import { followTask } from '../../lib/followed-tasks/index.ts';
import { agreedTo } from '../../lib/orders/index.ts';
import { session } from '../../lib/session/index.ts';
import { useSubmit } from '../../lib/submit/index.ts';
import { useApiQuery } from '../../ui/query/index.ts';

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

interface Confirmed {
  /** What the person agreed to; if undefined, whatever SIMs the selection finds when the message is sent. */
  preview: Preview | null | undefined;
  /** Nothing was sent: other SIMs than those of the preview would be reached now. */
  onOutdated: () => void;
}

/** Sends messages. One whose response was lost can be sent again: it is not sent twice, even across a reload. */
export const useSend = (onSent: (sent: SmsSent) => void) => {
  const client = useQueryClient();
  const { submit, ...state } = useSubmit({ onDone: onSent });
  const run = async (order: SendRequest, preview?: Preview | null): Promise<SmsSent> => {
    const body = { ...order, preview: false };
    const { data } = await call(endpoints.sms.send, { body, ...agreedTo(preview), announce: false });
    if (data.task) followTask(data.task);
    const { sms, task } = endpoints;
    for (const { id } of [sms.remainUsage, sms.list, sms.listOfSim, task.listMine])
      void client.invalidateQueries({ queryKey: [id] });
    return data;
  };
  const send = (order: SendRequest, confirmed?: Confirmed): void => {
    const explain = (failure: ApiFailure): string | undefined => {
      if (!confirmed || failure.code !== 'CB-01-0032') return explanationOf(failure);
      confirmed.onOutdated();
      return undefined;
    };
    void submit(() => run(order, confirmed?.preview), explain);
  };
  return { ...state, send };
};
