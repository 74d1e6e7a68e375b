import { createRouter, type RouterHistory } from '@tanstack/react-router';
import { pageOf } from '../lib/language/index.ts';
import { parseSearch, stringifySearch } from '../lib/search-params/index.ts';
import { routeTree } from './routes.tsx';
import { ScreenFailed } from './screen-failed.tsx';

/** @param history the browser's by default; tests pass their own */
export const createConsoleRouter = (history?: RouterHistory) => {
  let isNewPage = false;
  const router = createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    ...(history ? { history } : {}),
    scrollRestoration: true,
    // A new page starts at its top; a drawer or tab, which are search parameters, leaves the page where it is.
    scrollToTopSelectors: [() => (isNewPage ? document.querySelector('main') : undefined)],
    // An area's script arrives quickly; a spinner that flashes for 100 ms is only distracting.
    defaultPendingMs: 600,
    defaultErrorComponent: ScreenFailed,
  });
  router.subscribe('onBeforeLoad', ({ fromLocation, toLocation }) => {
    isNewPage = pageOf(fromLocation?.pathname ?? '') !== pageOf(toLocation.pathname);
  });
  return router;
};
