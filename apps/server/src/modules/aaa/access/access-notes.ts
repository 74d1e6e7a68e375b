import type { RejectReason } from '@simcube/contract/sim';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { factsByOrganisation, sessionChanged } from '../aaa.events.ts';
import { plmnText } from '../intake/step.ts';
import { insertRejects, markAuthorised, type RejectRow } from './access.queries.ts';
import { forgetRefusals, type Refusal } from './refusal-events.queries.ts';
import { reportRefusals } from './refusal-events.service.ts';

export interface AccessNotes {
  /** @param rateKbps the rate limit in the reply; null for none */
  accepted(simId: number, rateKbps: number | null): void;
  /** Notes a rejection: for the operator, and as an event of the SIM if it is a known one. */
  refused(refusal: RefusedRequest): void;
  /** Notes a rejection for the operator only. Beyond a maximum number they are only counted. */
  turnedAway(reject: Omit<RejectRow, 'at'>): void;
  stop(): Promise<void>;
}

export interface RefusedRequest {
  clientId: number;
  simId: number | null;
  identity: string | null;
  reason: RejectReason;
  apn: string | undefined;
  plmn: number | undefined;
}

const everyMs = 250;
/** Maximum number of rejections held until they are written; further ones only appear in the counters. */
const rejectsMost = 2_000;

/** A rejection and its position among the replies: a SIM accepted after it counts as newly rejected the next time. */
type Placed = Refusal & { place: number };

/**
 * Writes the consequences of Access-Request replies later and in batches. No reply waits for this; if the database is
 * slow, the next batch grows instead of a second one running concurrently.
 */
export const startAccessNotes = (options: { pool: pg.Pool; clock: Clock; log: Log }): AccessNotes => {
  const { pool, clock, log } = options;
  let rejects: RejectRow[] = [];
  let refusals: Placed[] = [];
  let accepted = new Map<number, { place: number; rateKbps: number | null }>();
  let place = 0;
  let writing: Promise<void> | undefined;

  const writeDown = async () => {
    const batch = { rejects, refusals, accepted };
    rejects = [];
    refusals = [];
    accepted = new Map();
    if (batch.rejects.length > 0) await insertRejects(pool, batch.rejects);
    if (batch.refusals.length === 0 && batch.accepted.size === 0) return;
    const isBefore = ({ simId, place: at }: Placed) => at < (batch.accepted.get(simId)?.place ?? 0);
    const simIds = [...batch.accepted.keys()];
    const granted = [...batch.accepted].map(([simId, { rateKbps }]) => ({ simId, rateKbps }));
    const now = clock.now();
    await inTransaction(pool, async (tx) => {
      await reportOnce(tx, batch.refusals.filter(isBefore), now);
      if (simIds.length > 0) {
        await forgetRefusals(tx, simIds);
        await noteAuthorised(tx, granted, now);
      }
      await reportOnce(
        tx,
        batch.refusals.filter((refusal) => !isBefore(refusal)),
        now,
      );
    });
  };
  const write = (): Promise<void> => {
    writing ??= writeDown()
      .catch((error: Error) => log.warn({ err: error }, 'access decisions could not be stored'))
      .finally(() => {
        writing = undefined;
      });
    return writing;
  };
  const timer = setInterval(() => void write(), everyMs);
  const turnedAway = (reject: Omit<RejectRow, 'at'>) => {
    if (rejects.length < rejectsMost) rejects.push({ at: clock.now(), ...reject });
  };

  return {
    accepted(simId, rateKbps) {
      place += 1;
      accepted.set(simId, { place, rateKbps });
    },
    refused({ apn, plmn, ...reject }) {
      turnedAway(reject);
      const { simId, reason } = reject;
      if (simId === null || refusals.length >= rejectsMost) return;
      place += 1;
      refusals.push({ simId, reason, apn: apn ?? null, plmn: plmnText(plmn ?? null), place });
    },
    turnedAway,
    async stop() {
      clearInterval(timer);
      await writing;
      await write();
    },
  };
};

const reportOnce = async (tx: pg.PoolClient, refusals: readonly Placed[], now: Date): Promise<void> => {
  const once = new Map(refusals.map((refusal) => [`${refusal.simId} ${refusal.reason}`, refusal]));
  if (once.size > 0) await reportRefusals(tx, [...once.values()], now);
};

const noteAuthorised = async (
  tx: pg.PoolClient,
  granted: readonly { simId: number; rateKbps: number | null }[],
  now: Date,
): Promise<void> => {
  const connected = await markAuthorised(tx, granted, now);
  const at = now.toISOString();
  const facts = factsByOrganisation(connected, (part) => ({
    at,
    changes: [{ iccids: part.map(({ iccid }) => iccid), status: 'connected' as const, kinds: [] }],
  }));
  await emitMany(tx, sessionChanged, facts);
};
