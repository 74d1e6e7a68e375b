import { lazyRouteComponent } from '@tanstack/react-router';
import { loadWhenReachable } from '../lib/chunks/index.ts';

/** A route's screen whose script is fetched when the route is opened. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => loadWhenReachable(load), name);
