import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { setSessionNavigation } from '../lib/api-client/index.ts';
import { createConsoleRouter } from './router.tsx';
import { sessionNavigation } from './session-navigation.ts';

const router = createConsoleRouter();
setSessionNavigation(sessionNavigation(router));

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}

/** The frame in the page itself (`index.html`) stays until everything that the first page needs has loaded. */
export const firstPage = (): Promise<void> => router.load();

export const App = () => (
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>
);
