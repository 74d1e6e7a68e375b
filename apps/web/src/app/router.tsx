import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../lib/search-params/index.ts';
import { routeTree } from './routes.tsx';
import { ScreenFailed } from './screen-failed.tsx';

/** @param history the browser's by default; tests pass their own */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    ...(history ? { history } : {}),
    scrollRestoration: true,
    // An area's script arrives quickly; a spinner that flashes for 100 ms is only distracting.
    defaultPendingMs: 600,
    defaultErrorComponent: ScreenFailed,
  });
