import type { AnyRoute } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { screenPaths } from './route-paths.ts';
import { routeTree } from './routes.tsx';

/** Full paths of the tree's leaves, without the language segment and without redirects. */
const leaves = (route: AnyRoute, above = ''): string[] => {
  const { path: own } = route.options as { path?: string };
  const path = [above, own].filter((part) => part && part !== '/').join('/');
  const children = Object.values((route.children ?? {}) as Record<string, AnyRoute>);
  return children.length > 0 ? children.flatMap((child) => leaves(child, path)) : [path];
};

it('the list of route paths equals the router’s', () => {
  const paths = leaves(routeTree)
    .filter((path) => path !== '' && path !== '$lang')
    .map((path) => path.replace(/^\$lang\//, ''));
  expect(new Set(paths)).toEqual(new Set(screenPaths));
  expect(paths).toHaveLength(screenPaths.length);
});
