import { allEndpoints, successCode, successResult, toInputIssues } from '@simcube/contract';
import { afterEach, beforeEach, expect } from 'vitest';
import { z } from 'zod';

interface SentRequest {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: Headers;
  body: unknown;
  signal: AbortSignal | null;
}

type Responder = (request: SentRequest) => Response | Promise<Response>;

export interface Gateway {
  /** All requests sent, oldest first. */
  sent: SentRequest[];
  /** Sets the response to `METHOD /path` from now on. */
  respond: (call: string, responder: Responder) => void;
}

/** Replaces the network: intercepts `fetch` and responds as the test says; anything else is unreachable. */
export const stubGateway = (): Gateway => {
  const responders = new Map<string, Responder>();
  const sent: SentRequest[] = [];
  const unknownKeys: string[] = [];
  const originalFetch = globalThis.fetch;
  beforeEach(() => {
    responders.clear();
    sent.length = 0;
    unknownKeys.length = 0;
    globalThis.fetch = async (input, init) => {
      const url = new URL(String(input), 'http://console.test');
      const request: SentRequest = {
        method: init?.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: new Headers(init?.headers),
        body: bodyOf(init?.body),
        signal: init?.signal ?? null,
      };
      sent.push(request);
      unknownKeys.push(...unknownKeysOf(request));
      const responder = responders.get(`${request.method} ${request.path}`);
      if (!responder) throw new TypeError('Failed to fetch');
      request.signal?.throwIfAborted();
      return await responder(request);
    };
  });
  afterEach(() => {
    globalThis.fetch = originalFetch;
    // The server would refuse such a call.
    expect(unknownKeys).toEqual([]);
  });
  return { sent, respond: (call, responder) => responders.set(call, responder) };
};

const noParameters = z.strictObject({}).nullish();

/** More specific paths take precedence: `/my/oneTimeToken` before `/my/{id}`. */
const pathParameterCount = (path: string): number => path.split(/[:{]/).length - 1;

/** Keys of a request that its endpoint record doesn't declare; values are up to the tests. */
const unknownKeysOf = ({ method, path, query, body }: SentRequest): string[] => {
  const [endpoint] = allEndpoints
    .filter((one) => one.method === method && patternOf(one.path).test(path))
    .toSorted((a, b) => pathParameterCount(a.path) - pathParameterCount(b.path));
  if (!endpoint) return [];
  const parts = {
    query: (endpoint.query ?? noParameters).safeParse(Object.fromEntries(query)),
    body: (endpoint.body ?? noParameters).safeParse(endpoint.upload ? null : body),
  };
  return Object.entries(parts).flatMap(([part, parsed]) =>
    (parsed.error?.issues ?? [])
      .flatMap(toInputIssues)
      .filter(({ key }) => key === 'unknownField')
      .map((issue) => `${endpoint.id}: ${part} ${issue.path}`),
  );
};

const patternOf = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

/** JSON parsed; a form by the names of its parts. */
const bodyOf = (body: BodyInit | null | undefined): unknown => {
  if (body instanceof FormData) return Object.fromEntries(body.entries());
  return typeof body === 'string' ? JSON.parse(body) : null;
};

const json = (http: number, body: unknown): Response =>
  new Response(JSON.stringify(body), { status: http, headers: { 'content-type': 'application/json' } });

export const success = (data: unknown, extra: Record<string, unknown> = {}): Response =>
  json(200, {
    data,
    status: { success: true, code: successCode, message: 'OK' },
    resultCode: successResult,
    trace_id: 'trace-ok',
    ...extra,
  });

export interface ErrorResponse {
  http: number;
  code: string;
  message?: string;
  resultCode?: string;
  issues?: readonly unknown[];
}

export const errorResponse = ({
  http,
  code,
  message = 'said the server',
  resultCode,
  issues,
}: ErrorResponse): Response =>
  json(http, {
    data: null,
    status: { success: false, code, message, ...(issues ? { detail: { issues } } : {}) },
    resultCode: resultCode ?? successResult,
    trace_id: 'trace-refused',
  });
