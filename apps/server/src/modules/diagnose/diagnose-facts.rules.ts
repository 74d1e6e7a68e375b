import type { BundleSpec, BundleType } from '@simcube/contract/bundle';
import type { Connection, Lifecycle, NetworkOverdue } from '@simcube/contract/sim';
import type { Decision } from '../aaa/index.ts';

/** What the report is decided on: everything as it was at one instant. */
export interface DiagnoseFacts {
  now: Date;
  iccid: string;
  deviceName: string | null;
  organisation: string;
  card: { technology: string | null; shipmentOn: string | null };
  lifecycle: {
    status: Lifecycle;
    changedAt: Date;
    preActivationEndsAt: Date | null;
    graceDays: number;
  };
  /** The basic order in use. */
  order: { bundle: string; endsAt: Date | null } | null;
  /** Basic orders that wait. */
  pendingOrders: number;
  bundle: {
    type: BundleType;
    outOfCoveragePolicy: BundleSpec['out_of_coverage_policy'];
    coverageCountries: readonly string[];
  } | null;
  usage: {
    usedBytes: number;
    limitBytes: number | null;
    overLimit: boolean;
    data: 'open' | 'slowed' | 'stopped';
    rateKbps: number | null;
    cycleEndsAt: Date | null;
  };
  /** What AAA would answer now. */
  access: Decision;
  /** As every screen shows it. */
  connection: Connection;
  lastSeenAt: Date | null;
  /** The network that it was seen in last. */
  network: { plmn: string; operator: string | null; country: string | null } | null;
  /** What the network should have done with an open session and has not. */
  networkOverdue: NetworkOverdue | null;
  /** The open session that was heard of last, else the last one. */
  session: {
    startedAt: Date;
    updatedAt: Date;
    stoppedAt: Date | null;
    cause: string | null;
    bytes: number;
    apn: string | null;
    ip: string | null;
    /** That of its last report, with the nearest town where it is known where the cell stands. */
    cell: string | null;
    town: string | null;
  } | null;
  apn: string | null;
  fixedIp: string | null;
  imei: { last: string | null; former: string | null; changedAt: Date | null };
  /** Refusals of the last 24 hours by their reason. */
  rejects: readonly { reason: string; times: number; lastAt: Date }[];
}
