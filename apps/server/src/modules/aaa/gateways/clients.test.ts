import type pg from 'pg';
import { describe, expect, it } from 'vitest';
import { createLog } from '../../../platform/log/index.ts';
import { vaultOf } from '../../../platform/secrets/index.ts';
import type { GatewayRow } from '../aaa.queries.ts';
import { loadGateways } from './clients.ts';

const vault = vaultOf(Buffer.alloc(32, 7));
const log = createLog({ level: 'silent', format: 'json' });

const rowOf = (name: string): GatewayRow => ({
  id: 1,
  name,
  network: '192.0.2.0/24',
  sealed_secret: vault.seal('testing123'),
  require_message_authenticator: true,
  coa_host: null,
  coa_port: 3799,
  rate_attribute: 'WISPr-Bandwidth-Max-Down',
  interim_seconds: 300,
});

/** A database whose responses the test releases. */
const slowDatabase = () => {
  const pending: ((name: string) => void)[] = [];
  const query = () =>
    new Promise((resolve) => {
      pending.push((name) => resolve({ rows: [rowOf(name)] }));
    });
  return { pool: { query } as unknown as pg.Pool, pending };
};

describe('gateways that change twice in quick succession', () => {
  it('reflect the later change, even if it is read before the earlier one', async () => {
    const { pool, pending } = slowDatabase();
    const loading = loadGateways(pool, vault, log);
    pending[0]?.('first');
    const gateways = await loading;
    expect(gateways.find('192.0.2.1')?.name).toBe('first');
    const earlier = gateways.reload();
    const later = gateways.reload();
    pending[2]?.('third');
    await later;
    pending[1]?.('second');
    await earlier;
    expect(gateways.find('192.0.2.1')?.name).toBe('third');
  });
});
