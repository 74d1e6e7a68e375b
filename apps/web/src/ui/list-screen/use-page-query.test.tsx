import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ApiResponse } from '../../lib/api-client/index.ts';
import type { ListParams } from '../../lib/search-params/list-search.ts';
import { usePageQuery } from './index.ts';

const response: ApiResponse<string[]> = {
  data: ['a'],
  totalCount: 40,
  totalRelation: 'eq',
  nextCursor: 'after-a',
  asOf: null,
  traceId: null,
};

test('cursors are remembered for recent filters only', () => {
  const queries = new QueryClient();
  let requested: string | undefined;
  const { rerender } = renderHook(
    ({ filter, ...search }: ListParams & { filter: number }) =>
      usePageQuery(search, (page) => {
        if (page.cursor !== undefined) requested = page.cursor;
        return {
          queryKey: ['log', filter, page],
          queryFn: () => response,
          initialData: response,
          staleTime: 'static' as const,
        };
      }),
    {
      initialProps: { filter: 0 } as ListParams & { filter: number },
      wrapper: ({ children }) => <QueryClientProvider client={queries}>{children}</QueryClientProvider>,
    },
  );
  rerender({ filter: 0, page: 2 });
  expect(requested).toBe('after-a');
  for (let filter = 1; filter <= 60; filter += 1) rerender({ filter });
  requested = undefined;
  rerender({ filter: 60, page: 2 });
  expect(requested).toBe('after-a');
  requested = undefined;
  rerender({ filter: 0, page: 2 });
  expect(requested).toBeUndefined();
});
