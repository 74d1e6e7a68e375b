import { type Intake, startIntake } from '../modules/aaa/intake/intake.ts';
import type { Outcome } from '../modules/aaa/intake/lane.ts';
import type { SessionUpdate } from '../modules/aaa/intake/update.ts';
import type { Clock } from '../platform/clock/index.ts';
import type { Database } from '../platform/db/index.ts';
import { createLog } from '../platform/log/index.ts';
import { createMetrics } from '../platform/metrics/index.ts';

/** A gateway's report about the SIM's only session, from its beginning, with defaults for what is not given. */
export const sessionUpdate = (
  { imsi, at }: { imsi: string; at: number },
  facts: Partial<SessionUpdate> = {},
): SessionUpdate => ({
  status: 'interim',
  identity: `imsi:${imsi}`,
  sessionKey: Number(imsi),
  sessionId: `S${imsi}`,
  nas: 'pgw-1',
  clientId: 1,
  gatewayAddress: '127.0.0.1',
  at,
  hasEventTime: true,
  seenAt: facts.at ?? at,
  shows: 'online',
  sessionSeconds: 0,
  up: undefined,
  down: undefined,
  ip: null,
  apn: null,
  plmn: 262_002,
  radio: 3,
  imei: null,
  cell: null,
  cause: null,
  ...facts,
});

/** Intake without its ports: it takes records as parsed from packets. */
export const testIntake = (
  { pool, url }: Pick<Database, 'pool' | 'url'>,
  clock: Clock,
  more: { maxBatch?: number; maxQueue?: number } = {},
): Promise<Intake> =>
  startIntake({
    pool,
    url,
    clock,
    log: createLog({ level: 'silent', format: 'json' }),
    metrics: createMetrics(),
    longCodes: () => new Set(),
    ...more,
  });

/** Resolves when the record would be acknowledged. */
export const storeUpdate = (intake: Intake, update: SessionUpdate): Promise<Outcome> =>
  new Promise((resolve, reject) => {
    if (!intake.add({ update, done: resolve })) reject(new Error('The record was not taken'));
  });
