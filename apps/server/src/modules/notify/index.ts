import { type NotifyOptions, notifyRoutes } from './groups.routes.ts';

/** Whom an organisation tells things. */
export const notifyModule = (options: NotifyOptions) => ({ routes: notifyRoutes(options) });
