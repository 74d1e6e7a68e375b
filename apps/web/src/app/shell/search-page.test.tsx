import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
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

test('a change that arrives after the page was left does not lead back to it', async () => {
  let close = (): void => undefined;
  const List = ({ onSearchChange }: SearchScreenProps<object>) => {
    close = () => onSearchChange({}, 'replace');
    return <h1>{'SIMs'}</h1>;
  };
  const root = createRootRoute();
  const language = createRoute({ getParentRoute: () => root, path: '$lang' });
  const list = createRoute({
    getParentRoute: () => language,
    ...searchPage({ path: 'sims', read, load: async () => List }),
  });
  const other = createRoute({
    getParentRoute: () => language,
    path: 'rules',
    component: () => <h1>{'Rules'}</h1>,
  });
  const history = createMemoryHistory({ initialEntries: ['/en-US/sims?open=1'] });
  const router = createRouter({
    routeTree: root.addChildren([language.addChildren([list, other])]),
    history,
  });
  render(<RouterProvider router={router as never} />);
  await screen.findByRole('heading', { name: 'SIMs' });
  const closeLater = close;
  act(() => history.push('/es-ES/sims?open=1'));
  await waitFor(() => expect(router.state.location.pathname).toBe('/es-ES/sims'));
  await act(async () => closeLater());
  expect(history.location.href).toBe('/es-ES/sims');
  act(() => history.push('/en-US/rules'));
  await screen.findByRole('heading', { name: 'Rules' });
  await act(async () => closeLater());
  expect(history.location.href).toBe('/en-US/rules');
});
