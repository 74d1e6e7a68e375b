import { hourMs } from '@simcube/contract/time';
import type { DiagnoseFacts } from '../modules/diagnose/diagnose-facts.rules.ts';

export const diagnosedAt = new Date('2026-11-21T12:00:00Z');

/** This many hours before the report. */
export const hoursAgo = (hours: number): Date => new Date(diagnosedAt.getTime() - hours * hourMs);

const gb = 1024 ** 3;

/** The facts of a SIM without problems, except for the given changes. */
export const healthyFacts = (changes: Partial<DiagnoseFacts> = {}): DiagnoseFacts => ({
  now: diagnosedAt,
  iccid: '89860012345678901234',
  deviceName: 'Pump 7, north field',
  organisation: 'Acme Mobility GmbH',
  card: { technology: 'one IMSI', shipmentOn: '2026-01-10' },
  lifecycle: { status: 'active', changedAt: hoursAgo(2400), preActivationEndsAt: null, graceDays: 90 },
  order: { bundle: 'Europe 1 GB', endsAt: hoursAgo(-24 * 40) },
  pendingOrders: 0,
  bundle: { type: 'prepaid basic', outOfCoveragePolicy: 'shut down', coverageCountries: ['DE', 'FR'] },
  usage: {
    usedBytes: 0.38 * gb,
    limitBytes: gb,
    overLimit: false,
    data: 'open',
    rateKbps: null,
    cycleEndsAt: hoursAgo(-24 * 9),
  },
  access: { accept: true, ip: null, rateKbps: null },
  connection: 'online',
  lastSeenAt: hoursAgo(0.05),
  network: { plmn: '262-02', operator: 'Vodafone', country: 'DE' },
  networkOverdue: null,
  session: {
    startedAt: hoursAgo(5),
    updatedAt: hoursAgo(0.05),
    stoppedAt: null,
    cause: null,
    bytes: 18_400_000,
    apn: 'iot.example',
    ip: '10.20.30.40',
    cell: null,
    town: null,
  },
  apn: 'iot.example',
  fixedIp: null,
  imei: { last: '356938035643809', former: null, changedAt: null },
  rejects: [],
  ...changes,
});

/** The worst possible combination: nearly every check has a finding, with long texts. */
export const brokenFacts = (changes: Partial<DiagnoseFacts> = {}): DiagnoseFacts =>
  healthyFacts({
    lifecycle: { status: 'paused', changedAt: hoursAgo(30), preActivationEndsAt: null, graceDays: 90 },
    order: { bundle: 'Europe 1 GB', endsAt: hoursAgo(-30) },
    usage: {
      usedBytes: 1.07 * gb,
      limitBytes: gb,
      overLimit: true,
      data: 'stopped',
      rateKbps: null,
      cycleEndsAt: hoursAgo(-24 * 9),
    },
    access: { accept: false, reason: 'paused' },
    lastSeenAt: hoursAgo(31),
    network: { plmn: '228-01', operator: 'Swisscom', country: 'CH' },
    session: {
      startedAt: hoursAgo(35),
      updatedAt: hoursAgo(23),
      stoppedAt: hoursAgo(23),
      cause: 'Lost-Carrier',
      bytes: 18_400_000,
      apn: 'internet',
      ip: '100.70.1.2',
      cell: '228-01-31F2-1A7C40',
      town: 'Zürich',
    },
    fixedIp: '10.1.2.3',
    imei: { last: '490154203237518', former: '356938035643809', changedAt: hoursAgo(50) },
    rejects: [
      { reason: 'apn-not-allowed', times: 3, lastAt: hoursAgo(20) },
      { reason: 'paused', times: 41, lastAt: hoursAgo(0.2) },
    ],
    ...changes,
  });
