import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { session } from '../../lib/session/index.ts';
import { membershipOf, signedInAs } from '../../testing/people.ts';
import { lazySearchPage, searchPage } from './search-page.tsx';

beforeEach(() => {
  session.clear();
  signedInAs('admin');
});

const read = () => ({});
const Screen = () => <h1>{session.can('sim', 'write') ? 'Suspend' : 'Read only'}</h1>;

test.each([
  ['searchPage', searchPage({ path: 'sims', read, load: async () => Screen })],
  ['lazySearchPage', lazySearchPage({ path: 'sims', load: async () => ({ screen: Screen, read }) })],
])('%s re-renders its page when permissions are lost', async (_, page) => {
  const root = createRootRoute();
  const language = createRoute({ getParentRoute: () => root, path: '$lang' });
  const route = createRoute({ getParentRoute: () => language, ...page });
  const router = createRouter({
    routeTree: root.addChildren([language.addChildren([route])]),
    history: createMemoryHistory({ initialEntries: ['/en-US/sims'] }),
  });
  render(<RouterProvider router={router as never} />);
  expect(await screen.findByRole('heading', { name: 'Suspend' })).toBeVisible();
  act(() => session.setMemberships([membershipOf('user')]));
  expect(screen.getByRole('heading')).toHaveTextContent('Read only');
});
