import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { parseSearch, stringifySearch } from '../lib/search-params/index.ts';
import { routeTree } from './routes.tsx';
import { ScreenFailed } from './screen-failed.tsx';

/** `history`: of the browser, unless a test brings its own. */
export const createConsoleRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    ...(history ? { history } : {}),
    scrollRestoration: true,
    // An area's script arrives quickly; a spinner that flashes for 100 ms only unsettles.
    defaultPendingMs: 600,
    defaultErrorComponent: ScreenFailed,
  });
