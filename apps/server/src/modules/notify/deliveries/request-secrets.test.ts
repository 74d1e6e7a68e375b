import { expect, it } from 'vitest';
import { FixedClock } from '../../../platform/clock/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import { newSecret, webhookHeaders } from '../targets/webhook-signing.ts';
import { createRequestSender } from './channels.ts';
import type { ClaimedDelivery } from './deliveries.queries.ts';

const clock = new FixedClock('2026-11-21T12:00:00Z');
const [lost, vault] = [vaultOf(Buffer.alloc(32, 1)), vaultOf(Buffer.alloc(32, 2))];

it('a new secret signs alone if the sealing key of the former one was lost, but is never left out itself', async () => {
  const signatures: (string | undefined)[] = [];
  const send = createRequestSender({
    vault,
    clock,
    outbound: async ({ headers }) => {
      signatures.push(headers?.['webhook-signature']);
      return { status: 204, headers: {}, body: Buffer.alloc(0) };
    },
  });
  const [newest, former] = [newSecret(), newSecret()];
  const deliver = (secrets: Buffer[]) => {
    const delivery = { notificationId: 'evt-1', address: 'https://a.example/', body: '{}', secrets };
    return send(delivery as ClaimedDelivery, new AbortController().signal);
  };
  const signed = (secrets: string[]) =>
    webhookHeaders({ id: 'evt-1', at: clock.now(), body: '{}' }, secrets)['webhook-signature'];
  expect(await deliver([vault.seal(newest), lost.seal(former)])).toMatchObject({ delivered: true });
  expect(await deliver([vault.seal(newest), vault.seal(former)])).toMatchObject({ delivered: true });
  expect(await deliver([lost.seal(newest), vault.seal(former)])).toEqual({
    delivered: false,
    fault: 'secret',
  });
  expect(signatures).toEqual([signed([newest]), signed([newest, former])]);
});
