import type { SimConnection, SimEvent, SimSession, SimUsage } from '@simcube/contract/sim';
import { testIccid } from './orders.ts';

const MB = 1024 ** 2;

/** The visited network in these responses. */
export const vodafone = {
  country: 'DE',
  mcc: '262',
  mnc: '02',
  operator: 'Vodafone',
  radio: '4G',
} as const;

type Session = NonNullable<SimConnection['session']>;

export const sessionResponse = (changes: Partial<Session> = {}): Session => ({
  id: 'S-77',
  started_at: '2026-11-21T10:00:00.000Z',
  updated_at: '2026-11-21T11:58:00.000Z',
  stopped_at: null,
  terminate_cause: null,
  up_bytes: MB,
  down_bytes: 3 * MB,
  apn: 'iot.acme',
  ip: '10.64.12.9',
  imei: '490154203237518',
  network: vodafone,
  cell: '262-02-31F2-1A7C40',
  gateway: 'pgw-1',
  ...changes,
});

/** A SIM's connection as the server returns it: online unless it has no session. */
export const connectionResponse = (changes: Partial<SimConnection> = {}): SimConnection => ({
  iccid: testIccid,
  connection: 'online',
  network_overdue: null,
  since: '2026-11-21T10:00:00.000Z',
  last_seen_at: '2026-11-21T11:58:00.000Z',
  session: sessionResponse(),
  ...changes,
});

export const pastSession = (changes: Partial<SimSession> = {}): SimSession => {
  const { gateway: _gateway, ...session } = sessionResponse();
  return {
    ...session,
    id: 'S-76',
    started_at: '2026-11-20T08:00:00.000Z',
    stopped_at: '2026-11-20T09:30:05.000Z',
    terminate_cause: 'Lost-Carrier',
    ...changes,
  };
};

export const eventResponse = (changes: Partial<SimEvent> = {}): SimEvent => ({
  id: '501',
  at: '2026-11-21T09:12:00.000Z',
  kind: 'session-stopped',
  facts: { cause: 'Admin-Reset', bytes: 2 * MB },
  actor: null,
  trace_id: null,
  ...changes,
});

export const usageResponse = (changes: Partial<SimUsage> = {}): SimUsage => ({
  points: [
    { at: '2026-11-20', up_bytes: MB, down_bytes: 5 * MB },
    { at: '2026-11-21', up_bytes: 0, down_bytes: 2 * MB },
  ],
  by_network: [
    { ...vodafone, bytes: 2 * MB },
    { country: 'FR', mcc: '208', mnc: '01', operator: 'Orange', radio: '4G', bytes: 6 * MB },
  ],
  total_bytes: 8 * MB,
  provisional_from: '2026-11-20T00:00:00.000Z',
  ...changes,
});
