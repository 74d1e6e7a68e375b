import type { RejectReason } from '@simcube/contract/sim';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { groupBy } from '../../../platform/collections/index.ts';
import { inTransaction } from '../../../platform/db/index.ts';
import { createRateLimitedLog, type Log } from '../../../platform/log/index.ts';
import { emitMany, factsByOrganisation } from '../../../platform/outbox/index.ts';
import { changesPerFact, sessionChanged } from '../aaa.events.ts';
import { type LongCodes, networkCode } from '../network-codes.ts';
import { type Grant, insertRejects, markAuthorised, type RejectRow } from './access.queries.ts';
import { clearRefusals, type Refusal } from './refusal-events.queries.ts';
import { reportRefusals } from './refusal-events.service.ts';

export interface AccessRecorder {
  recordAccept(grant: Grant): void;
  /** Notes a rejection for diagnosis, and as an event of the SIM. Beyond a maximum number they are only counted. */
  recordRefusal(refusal: RejectedRequest): void;
  stop(): Promise<void>;
}

export interface RejectedRequest {
  clientId: number;
  simId: number;
  identity: string;
  reason: RejectReason;
  apn: string | undefined;
  plmn: number | undefined;
}

export interface AccessRecorderOptions {
  pool: pg.Pool;
  clock: Clock;
  log: Log;
  longCodes: () => LongCodes;
}

const flushIntervalMs = 250;
/** Maximum number of rejections held until they are written; further ones only appear in the counters. */
const maxPendingRejects = 2_000;
/** Maximum number of SIMs whose Accepts are kept while they can't be written: the latest. */
const maxPendingAccepts = 100_000;

/** A rejection and its position among the replies: a SIM accepted after it counts as newly rejected the next time. */
type SequencedRefusal = Refusal & { sequence: number };

/** The last Accept of a SIM. */
type SequencedGrant = Grant & { sequence: number };

interface Decisions {
  refusals: readonly SequencedRefusal[];
  accepted: ReadonlyMap<number, SequencedGrant>;
}

/**
 * Writes the consequences of Access-Request replies later and in batches. No reply waits for this; if the database is
 * slow, the next batch grows instead of a second one running concurrently; a batch that fails is written with the next.
 */
export const startAccessRecorder = (options: AccessRecorderOptions): AccessRecorder => {
  const { pool, clock, log, longCodes } = options;
  let rejects: RejectRow[] = [];
  let refusals: SequencedRefusal[] = [];
  let accepted = new Map<number, SequencedGrant>();
  let sequence = 0;
  const logSeldom = createRateLimitedLog(log, () => clock.now().getTime());
  let flushing: Promise<void> | undefined;

  const storeDecisions = async () => {
    if (refusals.length === 0 && accepted.size === 0) return;
    const batch = { refusals, accepted };
    refusals = [];
    accepted = new Map();
    try {
      await inTransaction(pool, (tx) => store(tx, batch, clock.now()));
    } catch (error) {
      // Retried, because a rate that the database does not know of is never lifted. Newer decisions take precedence.
      refusals = [...batch.refusals, ...refusals].slice(0, maxPendingRejects);
      accepted = new Map([...batch.accepted, ...accepted].slice(-maxPendingAccepts));
      throw error;
    }
  };
  const storeRejects = async () => {
    if (rejects.length === 0) return;
    const batch = rejects;
    rejects = [];
    try {
      await insertRejects(pool, batch);
    } catch (error) {
      rejects = [...batch, ...rejects].slice(0, maxPendingRejects);
      throw error;
    }
  };
  const flush = (): Promise<void> => {
    flushing ??= storeDecisions()
      .then(storeRejects)
      .catch((error: Error) =>
        logSeldom('warn', 'access decisions could not be stored; they will be retried', { err: error }),
      )
      .finally(() => {
        flushing = undefined;
      });
    return flushing;
  };
  const timer = setInterval(() => void flush(), flushIntervalMs);

  return {
    recordAccept(grant) {
      sequence += 1;
      accepted.set(grant.simId, { ...grant, sequence });
    },
    recordRefusal({ apn, plmn, ...reject }) {
      if (rejects.length < maxPendingRejects) rejects.push({ at: clock.now(), ...reject });
      if (refusals.length >= maxPendingRejects) return;
      const { simId, reason } = reject;
      sequence += 1;
      const network = plmn === undefined ? null : networkCode(plmn, longCodes());
      refusals.push({ simId, reason, apn: apn ?? null, plmn: network, sequence });
    },
    async stop() {
      clearInterval(timer);
      await flushing;
      await flush();
    },
  };
};

const store = async (tx: pg.PoolClient, { refusals, accepted }: Decisions, now: Date): Promise<void> => {
  const isBefore = ({ simId, sequence: at }: SequencedRefusal) => at < (accepted.get(simId)?.sequence ?? 0);
  await reportDistinct(tx, refusals.filter(isBefore), now);
  if (accepted.size > 0) {
    await clearRefusals(tx, [...accepted.keys()]);
    await recordAuthorised(tx, [...accepted.values()], now);
  }
  await reportDistinct(
    tx,
    refusals.filter((refusal) => !isBefore(refusal)),
    now,
  );
};

const reportDistinct = async (
  tx: pg.PoolClient,
  refusals: readonly SequencedRefusal[],
  now: Date,
): Promise<void> => {
  const distinct = new Map(refusals.map((refusal) => [`${refusal.simId} ${refusal.reason}`, refusal]));
  if (distinct.size > 0) await reportRefusals(tx, [...distinct.values()], now);
};

const recordAuthorised = async (tx: pg.PoolClient, grants: readonly Grant[], now: Date): Promise<void> => {
  const connected = await markAuthorised(tx, grants, now);
  const at = now.toISOString();
  const facts = factsByOrganisation(
    groupBy(connected, (row) => row.org_id),
    changesPerFact,
    (part) => ({
      at,
      changes: [{ iccids: part.map(({ iccid }) => iccid), status: 'connected' as const, kinds: [] }],
    }),
  );
  await emitMany(tx, sessionChanged, facts);
};
