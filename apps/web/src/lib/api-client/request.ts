import {
  type EndpointShape,
  headers,
  limits,
  requestHeadersOf,
  requestTargetOf,
  type UntypedRequest,
} from '@simcube/contract';
import { currentLanguage } from '../language/index.ts';
import { session } from '../session/index.ts';
import { displayedTimeZone } from '../time/index.ts';

/** With a file, the request is sent as a form instead of a body. */
export interface SentRequest extends UntypedRequest {
  file?: File | undefined;
}

export const sendRequest = async (
  endpoint: EndpointShape,
  request: SentRequest & { signal?: AbortSignal | undefined },
): Promise<Response> => {
  const body = bodyOf(request);
  return await fetch(requestTargetOf(endpoint, request), {
    method: endpoint.method,
    headers: {
      ...commonHeaders(),
      // The browser sets the content type of a form, with the boundary that only it knows.
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
      ...requestHeadersOf(request),
    },
    body,
    signal: request.signal ?? null,
    credentials: 'omit',
    cache: 'no-store',
  });
};

/** RFC 7578: one file, in the part that the server's records call `file`. */
const bodyOf = ({ body, file }: SentRequest): string | FormData | null => {
  if (file === undefined) return body === undefined ? null : JSON.stringify(body);
  const form = new FormData();
  form.append('file', file, file.name);
  return form;
};

/** Aborts on the caller's signal or after the specification's 1,200,000 ms. */
export const withTimeout = (signal: AbortSignal | undefined): AbortSignal => {
  const timeout = AbortSignal.timeout(limits.requestTimeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
};

/** Sent with every call (specification, section 7). */
const commonHeaders = (): Record<string, string> => {
  const token = session.get('token');
  const partnerCode = session.get('partnerCode');
  const tenantId = session.get('tenantId');
  return {
    accept: 'application/json',
    'accept-language': currentLanguage(),
    [headers.timestamp]: String(Date.now()),
    [headers.timeZone]: displayedTimeZone(),
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(partnerCode === null ? {} : { [headers.partnerCode]: encodeURIComponent(partnerCode) }),
    ...(tenantId === null ? {} : { [headers.tenantId]: encodeURIComponent(tenantId) }),
  };
};
