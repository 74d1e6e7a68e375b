import type { BundleSpec, BundleType } from '@simcube/contract/bundle';
import type { Connection, Lifecycle, NetworkOverdue } from '@simcube/contract/sim';
import type { Decision } from '../aaa/index.ts';

/** The facts that a report is based on, all as of one instant. */
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
  /** Number of pending basic orders. */
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
  /** What AAA would reply now. */
  access: Decision;
  /** As every screen shows it. */
  connection: Connection;
  lastSeenAt: Date | null;
  /** The network in which it was last seen. */
  network: { plmn: string; operator: string | null; country: string | null } | null;
  /** What the network should have done with an open session and has not. */
  networkOverdue: NetworkOverdue | null;
  /** The open session with the latest update, else the last one. */
  session: {
    startedAt: Date;
    updatedAt: Date;
    stoppedAt: Date | null;
    cause: string | null;
    bytes: number;
    apn: string | null;
    ip: string | null;
    /** The cell of its last report, with the nearest town if the cell's location is known. */
    cell: string | null;
    town: string | null;
  } | null;
  apn: string | null;
  fixedIp: string | null;
  imei: { last: string | null; former: string | null; changedAt: Date | null };
  /** Rejections of the last 24 hours by reason. */
  rejects: readonly { reason: string; times: number; lastAt: Date }[];
}
