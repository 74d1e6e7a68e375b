import { type NotifyOptions, notifyRoutes } from './groups.routes.ts';

/** The recipients of an organisation's notifications. */
export const notifyModule = (options: NotifyOptions) => ({ routes: notifyRoutes(options) });
