import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  Outlet,
  RouterProvider,
} from '@tanstack/react-router';
import { act, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { stubGateway } from '../../testing/gateway.ts';
import { keepAliveList } from './keep-alive-list.tsx';

const gateway = stubGateway();

/** A console with a menu, a kept list at `sims`, and a page `home`. @param load fetches the script of the list before its page */
const openConsole = (
  at: 'sims' | 'home',
  { List, load }: Pick<ReturnType<typeof keepAliveList>, 'List'> & { load?: () => Promise<unknown> },
) => {
  vi.spyOn(console, 'error').mockReturnValue(undefined);
  const root = createRootRoute({
    component: () => (
      <>
        <nav>{'Menu'}</nav>
        <List />
        <Outlet />
      </>
    ),
  });
  const language = createRoute({ getParentRoute: () => root, path: '$lang' });
  const sims = createRoute({
    getParentRoute: () => language,
    path: 'sims',
    loader: async () => void (await load?.()),
    errorComponent: () => <p>{'Not shown'}</p>,
  });
  const home = createRoute({
    getParentRoute: () => language,
    path: 'home',
    component: () => <h1>{'Home'}</h1>,
  });
  const history = createMemoryHistory({ initialEntries: [`/en-US/${at}`] });
  const router = createRouter({
    routeTree: root.addChildren([language.addChildren([home, sims])]),
    history,
  });
  render(<RouterProvider router={router as never} />);
  return { go: (page: 'sims' | 'home') => act(async () => history.push(`/en-US/${page}`)) };
};

test('a list whose script can not be fetched keeps the menu, and is fetched when it is opened again', async () => {
  // The server is reachable; only the script is missing.
  gateway.respond('HEAD /favicon.svg', () => new Response());
  const network = { isThere: false };
  const list = keepAliveList({
    path: 'sims',
    read: () => ({}),
    load: async () => {
      if (!network.isThere) throw new TypeError('Failed to fetch');
      return () => <h1>{'SIMs'}</h1>;
    },
  });
  const { go } = openConsole('home', list);
  await screen.findByRole('heading', { name: 'Home' });
  await go('sims');
  expect(await screen.findByText('Not shown')).toBeVisible();
  expect(screen.getByText('Menu')).toBeVisible();
  network.isThere = true;
  await go('home');
  await go('sims');
  expect(await screen.findByRole('heading', { name: 'SIMs' })).toBeVisible();
});

test('a list that throws keeps the menu and other pages, and is rendered again when it is reopened', async () => {
  const answer = { isWhole: false };
  const { List } = keepAliveList({
    path: 'sims',
    read: () => ({}),
    load: async () => () => {
      if (!answer.isWhole) throw new TypeError('rows.map is not a function');
      return <h1>{'SIMs'}</h1>;
    },
  });
  const { go } = openConsole('sims', { List });
  expect(await screen.findByText('This screen could not be shown')).toBeVisible();
  expect(screen.getByText('Menu')).toBeVisible();
  await go('home');
  expect(await screen.findByRole('heading', { name: 'Home' })).toBeVisible();
  expect(screen.getByText('This screen could not be shown')).not.toBeVisible();
  answer.isWhole = true;
  await go('sims');
  expect(await screen.findByRole('heading', { name: 'SIMs' })).toBeVisible();
});
