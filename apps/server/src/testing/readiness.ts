import type { Readiness } from '../platform/http/index.ts';

/** Of a process that is started and whose database nobody watches. */
export const alwaysReady: Readiness = { look: async () => undefined, trouble: () => undefined };
