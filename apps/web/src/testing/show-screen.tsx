import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type RouterHistory,
  RouterProvider,
} from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { App } from 'antd';
import type { ReactNode } from 'react';

interface Shown {
  user: ReturnType<typeof userEvent.setup>;
  history: RouterHistory;
}

/** A screen or a part of one as in the console: with an address, cached answers of its own, and the kit's dialogs. */
export const showScreen = (screen: ReactNode, address = '/'): Shown => {
  const queries = new QueryClient();
  const history = createMemoryHistory({ initialEntries: [address] });
  const router = createRouter({
    routeTree: createRootRoute({
      component: () => (
        <QueryClientProvider client={queries}>
          <App component={false}>{screen}</App>
        </QueryClientProvider>
      ),
      notFoundComponent: () => null,
    }),
    history,
  });
  // The console registers its own router's types; this one has the screen alone.
  render(<RouterProvider router={router as never} />);
  return { user: userEvent.setup(), history };
};
