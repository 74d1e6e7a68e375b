import { type ConsoleError, type ConsoleErrorKind, consoleErrorsPath, limits } from '@simcube/contract';
import type { ApiFailure } from './api-failure.ts';

/** Receives every HTTP 500, every screen that failed to render, and bugs in what a person started. Must not throw. */
export type ErrorReporter = (
  error: unknown,
  context: { where: ConsoleErrorKind; traceId: string | null },
) => void;

const toConsole: ErrorReporter = (error, { where, traceId }) => {
  console.error(`simcube: ${where}${traceId === null ? '' : ` (trace id ${traceId})`}`, error);
};

let reporter: ErrorReporter = toConsole;

/** Sets the receiver of errors, which otherwise go only to the browser's console: call it once, before the console starts. */
export const setErrorReporter = (next: ErrorReporter): void => {
  reporter = next;
};

export const reportError = (error: unknown, where: ConsoleErrorKind): void => {
  const { traceId = null } = error as Partial<ApiFailure>;
  reporter(error, { where, traceId });
};

/** Only `/en-US/simCard`: the rest may be the id of a shared report, which is enough to read it. */
const screenOf = (path: string): string => path.split('/').slice(0, 3).join('/').slice(0, 200);

/**
 * Sends errors to the installation's server, which logs and counts them, and shows them in the browser's console. They contain no
 * token, header or body, and only the screen of the page's address. The number of reports per page load is limited.
 */
export const reporterToServer = (version: string): ErrorReporter => {
  const { message: maxMessageLength, stack: maxStackLength, perPage } = limits.consoleErrors;
  let remaining: number = perPage;
  return (error, context) => {
    toConsole(error, context);
    if (remaining === 0) return;
    remaining -= 1;
    const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined };
    const report: ConsoleError = {
      where: context.where,
      message: message.slice(0, maxMessageLength),
      stack: stack?.slice(0, maxStackLength) ?? null,
      path: screenOf(location.pathname),
      version,
      trace_id: context.traceId,
    };
    // Is delivered even if the person leaves the page immediately.
    navigator.sendBeacon(consoleErrorsPath, new Blob([JSON.stringify(report)], { type: 'application/json' }));
  };
};
