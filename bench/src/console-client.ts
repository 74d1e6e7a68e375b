import { type EndpointShape, endpoints, headers } from '@simcube/contract';
import { type Fleet, orgCode } from './fleet.ts';
import type { Product } from './product.ts';

export interface JsonResponse {
  data: unknown;
  total_count?: number;
  total_relation?: 'eq' | 'gte';
  next_cursor?: string | null;
}

/** A client that makes the same calls as a person at the console. */
export interface ConsoleClient {
  /** @returns the response and the milliseconds until its last byte */
  call(
    endpoint: EndpointShape,
    request?: ConsoleRequest,
  ): Promise<{ milliseconds: number; response: JsonResponse }>;
  /** For calls that return a file. */
  download(endpoint: EndpointShape, request?: ConsoleRequest): Promise<Buffer>;
  /** The same person in another organisation. */
  inOrganisation(organisation: { tenantId: string; code: string }): ConsoleClient;
}

export interface ConsoleRequest {
  params?: Record<string, string>;
  query?: Record<string, string>;
  body?: unknown;
  file?: { name: string; content: Uint8Array<ArrayBuffer> };
  /** A repeated call with the same key is carried out once. */
  idempotencyKey?: string;
}

export const signIn = async (product: Pick<Product, 'url'>, fleet: Fleet): Promise<ConsoleClient> => {
  const send = async (
    endpoint: EndpointShape,
    request: ConsoleRequest,
    credentials: Record<string, string>,
  ) => {
    const { params = {}, query = {} } = request;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const url = new URL(path, product.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const begin = performance.now();
    const response = await fetch(url, { method: endpoint.method, ...requestInit(request, credentials) });
    const content = Buffer.from(await response.arrayBuffer());
    const milliseconds = performance.now() - begin;
    if (!response.ok)
      throw new Error(`${endpoint.id} answered ${response.status}: ${content.toString().slice(0, 500)}`);
    return { milliseconds, content };
  };
  const requestJson = async (
    endpoint: EndpointShape,
    request: ConsoleRequest,
    credentials: Record<string, string>,
  ) => {
    const { milliseconds, content } = await send(endpoint, request, credentials);
    return { milliseconds, response: JSON.parse(content.toString()) as JsonResponse };
  };
  const { email, password } = fleet;
  const { response } = await requestJson(
    endpoints.identity.signIn,
    { body: { email, password, agreement: true } },
    {},
  );
  const { token } = response.data as { token: string };
  const clientOf = ({ tenantId, code }: { tenantId: string; code: string }): ConsoleClient => {
    const credentials = {
      authorization: `Bearer ${token}`,
      [headers.tenantId]: tenantId,
      [headers.partnerCode]: code,
    };
    return {
      call: (endpoint, request = {}) => requestJson(endpoint, request, credentials),
      download: async (endpoint, request = {}) => (await send(endpoint, request, credentials)).content,
      inOrganisation: clientOf,
    };
  };
  return clientOf({ tenantId: fleet.tenantId, code: orgCode });
};

const requestInit = (
  { body, file, idempotencyKey }: ConsoleRequest,
  credentials: Record<string, string>,
): RequestInit => {
  const requestHeaders = idempotencyKey
    ? { ...credentials, [headers.idempotencyKey]: idempotencyKey }
    : credentials;
  if (file) {
    // RFC 7578: one file, in the part that the server's records call `file`.
    const form = new FormData();
    form.append('file', new Blob([file.content]), file.name);
    return { headers: requestHeaders, body: form };
  }
  if (body === undefined) return { headers: requestHeaders };
  return { headers: { ...requestHeaders, 'content-type': 'application/json' }, body: JSON.stringify(body) };
};
