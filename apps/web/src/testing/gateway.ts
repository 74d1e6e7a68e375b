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

type Answerer = (request: SentRequest) => Response | Promise<Response>;

export interface Gateway {
  /** All requests sent, oldest first. */
  sent: SentRequest[];
  /** Sets the response to `METHOD /path` from now on. */
  answer: (call: string, with_: Answerer) => void;
}

/** Replaces the network: intercepts `fetch` and responds as the test says; anything else is unreachable. */
export const standInGateway = (): Gateway => {
  const answers = new Map<string, Answerer>();
  const sent: SentRequest[] = [];
  const unknown: string[] = [];
  const real = globalThis.fetch;
  beforeEach(() => {
    answers.clear();
    sent.length = 0;
    unknown.length = 0;
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
      unknown.push(...unknownKeysOf(request));
      const answerer = answers.get(`${request.method} ${request.path}`);
      if (!answerer) throw new TypeError('Failed to fetch');
      request.signal?.throwIfAborted();
      return await answerer(request);
    };
  });
  afterEach(() => {
    globalThis.fetch = real;
    // The server would refuse such a call.
    expect(unknown).toEqual([]);
  });
  return { sent, answer: (call, with_) => answers.set(call, with_) };
};

const nothing = z.strictObject({}).nullish();

/** More specific paths take precedence: `/my/oneTimeToken` before `/my/{id}`. */
const parametersIn = (path: string): number => path.split(/[:{]/).length - 1;

/** Keys of a request that its endpoint record doesn't declare; values are up to the tests. */
const unknownKeysOf = ({ method, path, query, body }: SentRequest): string[] => {
  const [called] = allEndpoints
    .filter((one) => one.method === method && patternOf(one.path).test(path))
    .toSorted((a, b) => parametersIn(a.path) - parametersIn(b.path));
  if (!called) return [];
  const parts = {
    query: (called.query ?? nothing).safeParse(Object.fromEntries(query)),
    body: (called.body ?? nothing).safeParse(called.upload ? null : body),
  };
  return Object.entries(parts).flatMap(([part, parsed]) =>
    (parsed.error?.issues ?? [])
      .flatMap(toInputIssues)
      .filter(({ key }) => key === 'unknownField')
      .map((issue) => `${called.id}: ${part} ${issue.path}`),
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

export const success = (data: unknown, more: Record<string, unknown> = {}): Response =>
  json(200, {
    data,
    status: { success: true, code: successCode, message: 'OK' },
    resultCode: successResult,
    trace_id: 'trace-ok',
    ...more,
  });

export interface Refusal {
  http: number;
  code: string;
  message?: string;
  resultCode?: string;
  issues?: readonly unknown[];
}

export const refusal = ({ http, code, message = 'said the server', resultCode, issues }: Refusal): Response =>
  json(http, {
    data: null,
    status: { success: false, code, message, ...(issues ? { detail: { issues } } : {}) },
    resultCode: resultCode ?? successResult,
    trace_id: 'trace-refused',
  });
