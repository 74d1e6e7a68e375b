import { type EndpointShape, endpoints, headers } from '@simcube/contract';
import { type Fleet, orgCode } from './fleet.ts';
import type { Product } from './product.ts';

export interface Answer {
  data: unknown;
  total_count?: number;
  total_relation?: 'eq' | 'gte';
  next_cursor?: string | null;
}

/** A client that makes the same calls as a person at the console. */
export interface ConsoleClient {
  /** @returns the response and the milliseconds until its last byte */
  call(endpoint: EndpointShape, request?: ConsoleRequest): Promise<{ milliseconds: number; answer: Answer }>;
  /** For calls that return a file. */
  download(endpoint: EndpointShape, request?: ConsoleRequest): Promise<Buffer>;
  /** The same person in another organisation. */
  within(organisation: { tenantId: string; code: string }): ConsoleClient;
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
  const fetched = async (endpoint: EndpointShape, request: ConsoleRequest, known: Record<string, string>) => {
    const { params = {}, query = {} } = request;
    const path = endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name] ?? ''),
    );
    const url = new URL(path, product.url);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const begin = performance.now();
    const response = await fetch(url, { method: endpoint.method, ...contentOf(request, known) });
    const content = Buffer.from(await response.arrayBuffer());
    const milliseconds = performance.now() - begin;
    if (!response.ok)
      throw new Error(`${endpoint.id} answered ${response.status}: ${content.toString().slice(0, 500)}`);
    return { milliseconds, content };
  };
  const ask = async (endpoint: EndpointShape, request: ConsoleRequest, known: Record<string, string>) => {
    const { milliseconds, content } = await fetched(endpoint, request, known);
    return { milliseconds, answer: JSON.parse(content.toString()) as Answer };
  };
  const { email, password } = fleet;
  const { answer } = await ask(endpoints.identity.signIn, { body: { email, password, agreement: true } }, {});
  const { token } = answer.data as { token: string };
  const clientOf = ({ tenantId, code }: { tenantId: string; code: string }): ConsoleClient => {
    const known = {
      authorization: `Bearer ${token}`,
      [headers.tenantId]: tenantId,
      [headers.partnerCode]: code,
    };
    return {
      call: (endpoint, request = {}) => ask(endpoint, request, known),
      download: async (endpoint, request = {}) => (await fetched(endpoint, request, known)).content,
      within: clientOf,
    };
  };
  return clientOf({ tenantId: fleet.tenantId, code: orgCode });
};

const contentOf = (
  { body, file, idempotencyKey }: ConsoleRequest,
  person: Record<string, string>,
): RequestInit => {
  const known = idempotencyKey ? { ...person, [headers.idempotencyKey]: idempotencyKey } : person;
  if (file) {
    // RFC 7578: one file, in the part that the server's records call `file`.
    const form = new FormData();
    form.append('file', new Blob([file.content]), file.name);
    return { headers: known, body: form };
  }
  if (body === undefined) return { headers: known };
  return { headers: { ...known, 'content-type': 'application/json' }, body: JSON.stringify(body) };
};
