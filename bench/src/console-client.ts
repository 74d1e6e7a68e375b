import { type EndpointShape, endpoints, headers } from '@simcube/contract';
import { type Fleet, orgCode } from './fleet.ts';
import type { Product } from './product.ts';

export interface Answer {
  data: unknown;
  total_count?: number;
  total_relation?: 'eq' | 'gte';
  next_cursor?: string | null;
}

/** A person at the console, as far as the server can tell. */
export interface ConsoleClient {
  /** @returns the answer and how long it took, milliseconds, read to its last byte */
  call(
    endpoint: EndpointShape,
    request?: { query?: Record<string, string>; body?: unknown },
  ): Promise<{ milliseconds: number; answer: Answer }>;
}

export const signIn = async (product: Product, fleet: Fleet): Promise<ConsoleClient> => {
  const ask = async (
    endpoint: EndpointShape,
    request: { query?: Record<string, string>; body?: unknown; headers: Record<string, string> },
  ) => {
    const url = new URL(endpoint.path, product.url);
    for (const [name, value] of Object.entries(request.query ?? {})) url.searchParams.set(name, value);
    const begin = performance.now();
    const response = await fetch(url, {
      method: endpoint.method,
      headers: {
        ...request.headers,
        ...(request.body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(request.body !== undefined && { body: JSON.stringify(request.body) }),
    });
    const text = await response.text();
    const milliseconds = performance.now() - begin;
    if (!response.ok) throw new Error(`${endpoint.id} answered ${response.status}: ${text.slice(0, 500)}`);
    return { milliseconds, answer: JSON.parse(text) as Answer };
  };
  const { email, password } = fleet;
  const { answer } = await ask(endpoints.identity.signIn, {
    body: { email, password, agreement: true },
    headers: {},
  });
  const { token } = answer.data as { token: string };
  const known = {
    authorization: `Bearer ${token}`,
    [headers.tenantId]: fleet.tenantId,
    [headers.partnerCode]: orgCode,
  };
  return { call: (endpoint, request = {}) => ask(endpoint, { ...request, headers: known }) };
};
