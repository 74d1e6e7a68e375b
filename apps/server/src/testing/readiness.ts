import type { Readiness } from '../platform/http/index.ts';

/** Readiness of a started process whose database is not monitored. */
export const alwaysReady: Readiness = {
  check: async () => undefined,
  reason: () => undefined,
  trouble: () => undefined,
};
