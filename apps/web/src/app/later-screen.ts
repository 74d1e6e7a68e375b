import { lazyRouteComponent } from '@tanstack/react-router';
import { untilReachable } from '../lib/parts/index.ts';

/** A route's screen whose script is fetched when the route is opened. */
export const laterScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => untilReachable(load), name);
