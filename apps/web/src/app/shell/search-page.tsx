import { lazyRouteComponent, useParams } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { type RouteSearch, useRouteSearch } from './use-route-search.ts';

interface SearchPage<S, P> extends RouteSearch<S> {
  load: () => Promise<ComponentType<SearchScreenProps<S> & P>>;
  /** Props from the route's path. Other values are another screen, with nothing left of the one before. */
  props: (params: Record<string, string | undefined>) => P;
}

type PageProps<S, P> = Omit<SearchPage<S, P>, 'load'> & { screen: ComponentType<SearchScreenProps<S> & P> };

const Page = <S extends Record<string, unknown>, P extends object>({
  screen: Screen,
  props,
  ...route
}: PageProps<S, P>) => {
  const state = useRouteSearch(route);
  const own = props(useParams({ strict: false }));
  if (state.search === null) return null;
  return <Screen key={JSON.stringify(own)} {...own} {...state} search={state.search} />;
};

/** The page of a route whose screen keeps its state in the address. */
export const searchPage = <S extends Record<string, unknown>, P extends object>({
  load,
  ...route
}: SearchPage<S, P>) =>
  lazyRouteComponent(async () => {
    const screen = await load();
    return { page: () => <Page screen={screen} {...route} /> };
  }, 'page');
