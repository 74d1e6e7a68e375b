import { lazyRouteComponent, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { loadWhenReachable } from '../../lib/chunks/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { useSession } from '../../lib/session/index.ts';
import { type RouteSearch, useRouteSearch } from './use-route-search.ts';

type Params = Record<string, string | undefined>;

interface SearchPage<R extends string, S, P> extends RouteSearch<S> {
  path: R;
  load: () => Promise<ComponentType<SearchScreenProps<S> & P>>;
  /** Props from the route's path. Different values mean a different screen, which keeps no state of the previous one. */
  props?: (params: Params) => P;
}

interface PageProps<S, P> extends RouteSearch<S> {
  screen: ComponentType<SearchScreenProps<S> & P>;
  props: (params: Params) => P;
}

const Page = <S extends object, P extends object>({ screen: Screen, props, ...route }: PageProps<S, P>) => {
  const { search, ...address } = useRouteSearch(route);
  // Permissions may change while the page is open: re-render the screen's actions.
  useSession('rolesInfo');
  const pathProps = props(useParams({ strict: false }));
  if (search === null) return null;
  return <Screen key={JSON.stringify(pathProps)} {...pathProps} {...address} search={search} />;
};

/** The options of a route whose screen keeps its state in the URL: path, parser of the search string, and page. */
export const searchPage = <const R extends string, S extends object, P extends object = object>({
  load,
  props = () => ({}) as P,
  ...route
}: SearchPage<R, S, P>) => ({
  path: route.path,
  validateSearch: (search: Record<string, unknown>): S => route.read(search),
  component: lazyRouteComponent(async () => {
    const screen = await loadWhenReachable(load);
    return { page: () => <Page {...route} props={props} screen={screen} /> };
  }, 'page'),
});

/** The same if only the page knows its search parameters, so that the sign-in page does not have to load their parser. */
export const lazySearchPage = <const R extends string, S extends object, P extends object = object>({
  path,
  load,
  props = () => ({}) as P,
}: {
  path: R;
  load: () => Promise<{
    screen: ComponentType<SearchScreenProps<S> & P>;
    read: (search: unknown) => S;
  }>;
  props?: (params: Params) => P;
}) => ({
  path,
  validateSearch: (search: Record<string, unknown>) => search,
  component: lazyRouteComponent(async () => {
    const loaded = await loadWhenReachable(load);
    return { page: () => <Page {...loaded} path={path} props={props} /> };
  }, 'page'),
});
