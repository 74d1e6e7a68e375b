import { permissionsByRole } from '@simcube/contract';
import type { WebhookEventType } from '@simcube/contract/webhook';
import { createWebhooks } from '../../modules/webhook/index.ts';
import { type DemoContext, type Maker, maker } from './demo-maker.ts';

/** RFC 2606: a name that never resolves. Attempts fail, as the log shows; nothing leaves the machine. */
const url = 'https://hooks.acme.example/simcube';

/** Rare events, so that the SIM over its quota is among the log's first rows, not among thousands. */
const types: WebhookEventType[] = [
  'sim.usage-threshold',
  'pool.event',
  'autoflow.fired',
  'bill.published',
  'report.ready',
];

/** A developer of the customer who receives events from now on; existing settings are left unchanged. */
export const makeWebhook = async (context: DemoContext, { orgId, by }: Maker): Promise<void> => {
  const webhooks = createWebhooks(context);
  const caller = (action: 'webhook.changed' | 'webhook.switched') => {
    const { userId: accountId, language, actor } = by(action);
    return { orgId, orgCode: maker.code, accountId, language, actor, permissions: permissionsByRole.admin };
  };
  await webhooks.setUrl(caller('webhook.changed'), url);
  await webhooks.setEventTypes(caller('webhook.changed'), types);
  await webhooks.setStatus(caller('webhook.switched'), 'enabled');
};
