import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Listener } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Letters } from '../../platform/mail/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { byMail, byRequest, byText, type SendText } from './deliveries/channels.ts';
import { type Dispatcher, startDispatcher } from './deliveries/dispatcher.ts';
import { notifyJobs } from './notify.jobs.ts';
import { notifyRoutes } from './notify.routes.ts';

export { targetSecrets } from './targets/targets.queries.ts';

export interface NotifyOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  /** Sends messages to phones; without one none can be sent. */
  sendText?: SendText | undefined;
}

export interface DeliveringOptions {
  listener?: Listener;
  letters: Letters;
  outbound: Outbound;
  log: Log;
  metrics: Metrics;
}

/** The targets of an organisation's notifications, and the one way by which these are delivered. */
export const notifyModule = ({ sendText, ...outside }: NotifyOptions) => ({
  routes: notifyRoutes({ ...outside, hasSms: sendText !== undefined }),
  jobs: notifyJobs(outside),
  /** Delivers until it is stopped; a worker does it. */
  startDelivering: ({ letters, outbound, ...options }: DeliveringOptions): Promise<Dispatcher> =>
    startDispatcher({
      ...outside,
      ...options,
      channels: {
        email: byMail(letters),
        sms: sendText && byText(sendText),
        api: byRequest({ ...outside, outbound }),
      },
    }),
});
