import { permissionsByRole } from '@simcube/contract';
import type { WebhookEventType } from '@simcube/contract/webhook';
import { createWebhooks } from '../../modules/webhook/index.ts';
import { type Maker, type Making, maker } from './demo-maker.ts';

/** RFC 2606: a name that never resolves. Attempts fail, as their log says; nothing leaves the machine. */
const url = 'https://hooks.acme.example/simcube';

/** What is rare: the log has the SIM over its quota among its first rows, not among thousands. */
const types: WebhookEventType[] = [
  'sim.usage-threshold',
  'pool.event',
  'autoflow.fired',
  'bill.published',
  'report.ready',
];

/** A developer of the customer who is sent what happens from now on; what is set already stays as it is. */
export const makeWebhook = async (making: Making, { orgId, by }: Maker): Promise<void> => {
  const webhooks = createWebhooks(making);
  const caller = (action: 'webhook.changed' | 'webhook.switched') => {
    const { userId: accountId, language, actor } = by(action);
    return { orgId, orgCode: maker.code, accountId, language, actor, permissions: permissionsByRole.admin };
  };
  await webhooks.setUrl(caller('webhook.changed'), url);
  await webhooks.setEventTypes(caller('webhook.changed'), types);
  await webhooks.setStatus(caller('webhook.switched'), 'enabled');
};
