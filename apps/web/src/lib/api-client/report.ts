import type { ApiFailure } from './api-failure.ts';

/** Receives every HTTP 500 and every screen that failed to render. Must not throw. */
export type ErrorReporter = (error: unknown, context: { where: string; traceId: string | null }) => void;

const toConsole: ErrorReporter = (error, { where, traceId }) => {
  console.error(`simcube: ${where}${traceId === null ? '' : ` (trace id ${traceId})`}`, error);
};

let reporter: ErrorReporter = toConsole;

/**
 * Sends errors to an error-reporting service of the installation's choice instead of the browser's console:
 * call it once, before the console starts. Reports carry no token, header or body.
 */
export const setErrorReporter = (next: ErrorReporter): void => {
  reporter = next;
};

export const reportError = (error: unknown, where: string): void => {
  const { traceId = null } = error as Partial<ApiFailure>;
  reporter(error, { where, traceId });
};
