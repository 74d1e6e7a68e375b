import { type EndpointShape, endpoints } from '@simcube/contract';
import type { OperationResponse } from '@simcube/contract/sim';
import { type ApiResponse, type CallOptions, call } from '../../../lib/api-client/index.ts';
import { agreedTo } from '../../../lib/orders/index.ts';
import { useFreshQuery } from '../../../ui/query/index.ts';
import {
  isBoundToPreview,
  type OperationPreview,
  type OperationValues,
  type PlainOperation,
  plainEndpoints,
  type SmsOperation,
  type Target,
} from './operation.ts';

interface OperationRequest {
  name: PlainOperation;
  target: Target;
  values: OperationValues;
}

/** The calls take the same body, each with its own value. */
type CallOperation = (
  endpoint: EndpointShape,
  request: CallOptions & { body: object },
) => Promise<ApiResponse<Omit<OperationResponse, 'preview'> & { preview: OperationPreview | null }>>;
const send = call as unknown as CallOperation;

const isSmsOperation = (name: PlainOperation): name is SmsOperation =>
  name === 'suspendMt' || name === 'resumeMt';
const endpointOf = async (name: PlainOperation): Promise<EndpointShape> =>
  isSmsOperation(name) ? (await import('./sms-endpoints.ts')).smsEndpoints[name] : plainEndpoints[name];

/** The preview of an operation; the SIMs may change in the meantime. */
export const usePreview = ({ name, target, values }: OperationRequest, enabled: boolean) =>
  useFreshQuery<OperationPreview | null>({
    key: ['sim.preview', name, target.selection, values],
    request: async (signal) => {
      const options = { signal, announce: false };
      const { selection } = target;
      if (name === 'activate') {
        return (await call(endpoints.bundle.previewActivation, { body: { selection }, ...options })).data;
      }
      const body = { selection, preview: true, ...values };
      return (await send(await endpointOf(name), { body, ...options })).data.preview;
    },
    enabled,
  });

/**
 * @param preview what the person agreed to
 * @returns the reference of the task that executes it
 */
export const submitOperation = async (
  { name, target, values }: OperationRequest,
  preview: OperationPreview | null | undefined,
): Promise<OperationResponse['task']> => {
  const body = { selection: target.selection, ...values };
  const agreed = isBoundToPreview(name) ? agreedTo(preview) : {};
  return (await send(await endpointOf(name), { body, ...agreed, announce: false })).data.task;
};
