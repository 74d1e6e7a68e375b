import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type RouterHistory,
  RouterProvider,
  useRouter,
  useRouterState,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ConfigProvider } from 'antd';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { SearchScreenProps } from '../lib/search-params/fields.ts';
import { parseSearch, stringifySearch } from '../lib/search-params/index.ts';
import { Confirmations } from '../ui/dialog/index.ts';
import { themeFor } from '../ui/theme/index.ts';

interface RenderedScreen {
  user: ReturnType<typeof userEvent.setup>;
  history: RouterHistory;
}

const theme = themeFor('light', { still: true });

/**
 * Renders a screen or a part of one as in a console with reduced motion (jsdom ends no transition): with an address, its own
 * query cache, and the kit's dialogs.
 */
export const renderScreen = (
  screen: ReactNode,
  address = '/',
  history: RouterHistory = createMemoryHistory({ initialEntries: [address] }),
): RenderedScreen => {
  const queries = new QueryClient();
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <QueryClientProvider client={queries}>
          <ConfigProvider theme={theme}>
            <Confirmations>{screen}</Confirmations>
          </ConfigProvider>
        </QueryClientProvider>
      ),
      notFoundComponent: () => null,
    }),
    history,
    parseSearch,
    stringifySearch,
  });
  // The console registers its own router's types; this router has only the screen.
  render(<RouterProvider router={router as never} />);
  return { user: userEvent.setup(), history };
};

const hrefOf = (search: object): string => `/${stringifySearch(search)}`;

/** The state of a screen in the address of `renderScreen`, as the console's routes provide it. */
export const useAddress = <S extends object>({
  parse,
}: {
  parse: (search: unknown) => S;
}): SearchScreenProps<S> => {
  const { history } = useRouter();
  const text = useRouterState({ select: ({ location }) => location.searchStr });
  const search = useMemo(() => parse(parseSearch(text)), [parse, text]);
  const onSearchChange = useCallback<SearchScreenProps<S>['onSearchChange']>(
    (next, how = 'push') => history[how](hrefOf(next)),
    [history],
  );
  return { search, onSearchChange, hrefOf };
};
