import { endpoints } from '@simcube/contract';
import { z } from 'zod';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { usePageQuery } from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import type { DeveloperSearch } from '../search.ts';
import { spanOf } from '../span.ts';
import { pollMs } from '../webhook/use-webhook.ts';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export const callMethods = methods;

const isTraceId = (text: string): boolean => z.uuid().safeParse(text).success;

const filterOf = ({ search, code, method, key, ...period }: DeveloperSearch) => {
  const known = methods.filter((one) => method?.includes(one));
  return {
    ...spanOf(period),
    ...(search === undefined ? {} : isTraceId(search) ? { trace_id: search } : { path: search }),
    ...(code === undefined ? {} : { http_code: code }),
    ...(known.length === 0 ? {} : { method: known }),
    ...(key === undefined ? {} : { key_id: key }),
  };
};

/** One page of the calls, without requests and responses. */
export const useCalls = (search: DeveloperSearch) =>
  usePageQuery(search, (page) => ({
    ...endpointQuery(endpoints.developer.listCalls, {
      body: { ...filterOf(search), ...page, content: false },
    }),
    refetchInterval: pollMs,
  }));

/** One call with request and response. */
export const useCall = (traceId: string) =>
  useApiQuery(
    endpointQuery(endpoints.developer.listCalls, {
      body: { trace_id: traceId, content: true, page_size: 10 },
    }),
  );
