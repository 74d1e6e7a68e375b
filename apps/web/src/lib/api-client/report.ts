import { type ConsoleError, type ConsoleErrorKind, consoleErrorsPath, limits } from '@simcube/contract';
import type { ApiFailure } from './api-failure.ts';

/** Receives every HTTP 500 and every screen that failed to render. Must not throw. */
export type ErrorReporter = (
  error: unknown,
  context: { where: ConsoleErrorKind; traceId: string | null },
) => void;

const toConsole: ErrorReporter = (error, { where, traceId }) => {
  console.error(`simcube: ${where}${traceId === null ? '' : ` (trace id ${traceId})`}`, error);
};

let reporter: ErrorReporter = toConsole;

/** Says who receives errors instead of the browser's console alone: call it once, before the console starts. */
export const setErrorReporter = (next: ErrorReporter): void => {
  reporter = next;
};

export const reportError = (error: unknown, where: ConsoleErrorKind): void => {
  const { traceId = null } = error as Partial<ApiFailure>;
  reporter(error, { where, traceId });
};

/** `/en-US/simCard`: what follows may be the id of a shared report, which is all that it takes to read it. */
const screenOf = (path: string): string => path.split('/').slice(0, 3).join('/').slice(0, 200);

/**
 * Sends errors to the installation's server, which logs and counts them, and shows them in the browser's console. They carry
 * no token, header or body, and of the page's address its screen alone; a page that fails again and again says so only so many times.
 */
export const reporterToServer = (version: string): ErrorReporter => {
  const { message: longest, stack: deepest, perPage } = limits.consoleErrors;
  let left: number = perPage;
  return (error, context) => {
    toConsole(error, context);
    if (left === 0) return;
    left -= 1;
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    const report: ConsoleError = {
      where: context.where,
      message: message.slice(0, longest),
      stack: stack?.slice(0, deepest) ?? null,
      path: screenOf(location.pathname),
      version,
      trace_id: context.traceId,
    };
    // Arrives even when the page is left at once.
    navigator.sendBeacon(consoleErrorsPath, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  };
};
