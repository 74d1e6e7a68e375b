import '@testing-library/jest-dom/vitest';
import { cleanup, configure, prettyDOM } from '@testing-library/react';
import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest';
import { setErrorReporter } from '../lib/api-client/index.ts';
import { activateLanguage, addConsolePhrases, addDeferredPhrases } from '../lib/language/index.ts';
import { toast } from '../lib/toast/index.ts';
import { addMissingBrowserParts, openWindow } from './browser-parts.ts';

addMissingBrowserParts();
const closeWindow = openWindow();

// Finding by role walks the whole page, which is slow on a busy machine.
vi.setConfig({ testTimeout: 90_000 });
configure({ asyncUtilTimeout: 20_000, getElementError: elementError });

const bugs: unknown[] = [];

beforeEach(async () => {
  // Tests provoke failures deliberately; don't print them.
  setErrorReporter((error, { where }) => {
    if (where === 'action') bugs.push(error);
  });
  window.localStorage.clear();
  window.sessionStorage.clear();
  await addConsolePhrases('en-US');
  await addDeferredPhrases('en-US');
  await activateLanguage('en-US');
  window.localStorage.clear();
});

afterEach(() => {
  cleanup();
  toast.dismissAll();
  expect(bugs.splice(0)).toEqual([]);
});

/**
 * Each test file has its own instances of the console's modules, as if it had just been opened, because they hold session, toasts
 * and stream. Heavy third-party packages (React, antd, jsdom) are loaded once for all files of a worker.
 */
afterAll(() => {
  vi.resetModules();
  closeWindow();
});

/** Waiting for an element creates such an error at each change of the page, but only the text of the last one is used. */
function elementError(message: string | null, container: Element): Error {
  const error = new Error();
  Error.captureStackTrace(error, elementError);
  error.name = 'TestingLibraryElementError';
  let text: string | undefined;
  Object.defineProperty(error, 'message', {
    configurable: true,
    get: () => {
      text ??= [message, prettyDOM(container)].filter(Boolean).join('\n\n');
      return text;
    },
  });
  return error;
}
