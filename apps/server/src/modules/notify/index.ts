import type pg from 'pg';
import type { Clock } from '../../platform/clock/index.ts';
import type { Listener } from '../../platform/db/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { DirectMailer } from '../../platform/mail/index.ts';
import type { Metrics } from '../../platform/metrics/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { createMailSender, createRequestSender, createTextSender } from './deliveries/channels.ts';
import { type Dispatcher, startDispatcher } from './deliveries/dispatcher.ts';
import { settleTexts } from './deliveries/text.consumers.ts';
import { forwardMessages } from './forwarding.consumers.ts';
import { notifyJobs } from './notify.jobs.ts';
import { notifyRoutes } from './notify.routes.ts';
import type { BeforeRemoval, UsesOf } from './targets/uses.service.ts';

export { findWaitingKind, giveUpEvents, giveUpLane } from './deliveries/deliveries.queries.ts';
export { countTests, countWaiting, nextAttempt, stateOf } from './deliveries/deliveries.views.ts';
export {
  type OutgoingEvent,
  queueEvents,
  resendDeliveries,
} from './deliveries/events.queries.ts';
export { notifyRecipients, notifyTargets, notifyTargetsOfEach } from './deliveries/notifications.service.ts';
export { hasTarget, ownersOf } from './deliveries/recipients.views.ts';
export { emailOf, shortTextOf } from './deliveries/texts.ts';
export { lockTargetForTest } from './target-tests.service.ts';
export { issueSecret } from './targets/secrets.service.ts';
export { requireSendableUrl } from './targets/target-urls.ts';
export { lockTarget, resumeTarget, targetSecrets } from './targets/targets.queries.ts';
export { failuresUntilProbes } from './targets/targets.rules.ts';
export { createTargets } from './targets/targets.service.ts';
export { listTargetChoices } from './targets/targets.views.ts';
export { expediteDeliveries } from './targets/waiting.queries.ts';
export {
  type Account,
  insertWebhook,
  type LockedWebhook,
  lockWebhook,
  setWebhookUrl,
} from './targets/webhook-targets.queries.ts';

export interface NotifyOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  /** Private networks that requests may reach. */
  outboundNetworks?: readonly string[] | undefined;
  /** Called before a target is removed. */
  usesOf?: UsesOf;
  beforeRemoval?: BeforeRemoval;
}

export interface DeliveringOptions {
  listener?: Listener;
  mailer: DirectMailer;
  outbound: Outbound;
  log: Log;
  metrics: Metrics;
}

/** The targets of an organisation's notifications, and their delivery. */
export const notifyModule = (options: NotifyOptions) => ({
  routes: notifyRoutes(options),
  jobs: notifyJobs(options),
  consumers: [settleTexts, forwardMessages],
  /** Delivers until it is stopped; run by workers. */
  startDelivering: ({ mailer, outbound, ...running }: DeliveringOptions): Promise<Dispatcher> =>
    startDispatcher({
      ...options,
      ...running,
      channels: {
        email: createMailSender(mailer),
        sms: createTextSender(options),
        api: createRequestSender({ ...options, outbound }),
      },
    }),
});
