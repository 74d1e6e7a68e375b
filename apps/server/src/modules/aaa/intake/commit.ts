import { hourMs } from '@simcube/contract/time';
import type pg from 'pg';
import type { Sql, Statement } from '../../../platform/db/index.ts';
import { addToCycles } from '../../bundle/index.ts';
import { countForPools } from '../../pool/index.ts';
import { recordSimEvents } from '../../sim/index.ts';
import { addCdrs, addOrgUsage, addSimUsage, subtractLateUsage, UsageSums } from '../../usage/index.ts';
import type { Changes } from './changes.ts';
import { emitFacts } from './emit-facts.ts';
import { writeImeis, writeSessions, writeSims } from './write.queries.ts';

const inFailedTransaction = '25P02';

/** Sends the statements that write one part of a batch. */
export type Write = (sql: Sql) => Promise<unknown>[];

const send =
  (statements: readonly Statement[]): Write =>
  (sql) =>
    statements.map((statement) => sql.query(statement));

/** The current state of SIMs: existing rows, each written over the version that it was decided on. */
export const stateWrites = (changes: Changes): Write[] => {
  const sims = [...changes.sims.values()].sort((a, b) => a.sim.simId - b.sim.simId);
  return [
    (sql) => writeSessions(sql, changes),
    // SIMs before their live state, as in all transactions that lock both: otherwise these and a batch could deadlock.
    (sql) => writeImeis(sql, changes.imeis),
    (sql) => writeSims(sql, sims),
    send(addToCycles({ closed: changes.cycles, late: changes.lateCycles })),
  ];
};

/** Counters shared by SIMs, on which decisions depend: locked for the rest of the transaction. */
export const poolWrite = ({ pooled }: Changes): Write => send(countForPools(pooled));

/** Records of completed hours may be from before their SIM came to the organisation. */
export const lateUsageWrite = ({ cdrs }: Pick<Changes, 'cdrs'>, now: number): Write => {
  const currentHour = Math.floor(now / hourMs);
  const late = new UsageSums(16);
  for (const { simId, endedAt, plmn, radio, up, down } of cdrs) {
    const hour = Math.floor(endedAt / hourMs);
    if (hour < currentHour) late.add(late.positionOf(simId, hour, plmn, radio), up, down, 1);
  }
  return send(subtractLateUsage(late, late.sortedPositions()));
};

export type Histories = Pick<Changes, 'cdrs' | 'hours' | 'events'>;

/** The histories of SIMs: rows that are only added, and sums that are only increased. */
export const historyWrites = ({ cdrs, hours, events }: Histories): Write[] => [
  send(addCdrs(cdrs)),
  send(addSimUsage(hours)),
  (sql) => [
    recordSimEvents(
      sql,
      events.toSorted((a, b) => a.simId - b.simId),
    ),
  ],
];

/** The facts for everything that follows from the batch. */
export const factsWrite =
  (changes: Changes, now: number): Write =>
  (sql) =>
    emitFacts(sql, changes, now);

/** Sums of organisations. All batches of an organisation update the same rows, so these are locked for the commit only. */
export const orgUsageWrite = ({ orgHours }: Changes): Write => send(addOrgUsage(orgHours));

/** The whole batch, in one transaction. */
export const allWrites = (changes: Changes, now: number): Write[] => [
  ...stateWrites(changes),
  ...historyWrites(changes),
  lateUsageWrite(changes, now),
  factsWrite(changes, now),
  poolWrite(changes),
  orgUsageWrite(changes),
];

/** Returns the statements instead of sending them. */
export const statementsOf = (writes: readonly Write[]): Statement[] => {
  const statements: Statement[] = [];
  const query = (statement: Statement) => {
    statements.push(statement);
    return Promise.resolve({ rows: [] });
  };
  for (const write of writes) write({ query } as unknown as Sql);
  return statements;
};

/**
 * Writes a batch in one transaction, in one go: `client` pipelines, so begin, all statements and commit are sent
 * before the first result arrives. A failed statement turns the commit into a rollback.
 * @returns the results of the statements
 * @throws the first error of the database; nothing is written then, unless the connection broke during the commit
 */
export const commitPipelined = async (client: pg.Client, writes: readonly Write[]): Promise<unknown[]> => {
  const { work, commit } = sendPipelined(client, writes);
  const results = await Promise.allSettled([...work, commit]);
  for (const result of results) {
    if (result.status === 'rejected' && (result.reason as { code?: string }).code !== inFailedTransaction) {
      throw result.reason;
    }
  }
  const { command } = await commit;
  if (command !== 'COMMIT') throw new Error(`The batch was not committed but: ${command}`);
  return Promise.all(work.slice(1));
};

/** Uses a single write, so that a batch costs one system call instead of one per statement, here and in the database. */
const sendPipelined = (client: pg.Client, writes: readonly Write[]) => {
  const { stream } = client.connection;
  stream.cork();
  const work: Promise<unknown>[] = [client.query('begin')];
  try {
    for (const write of writes) work.push(...write(client));
    return { work, commit: client.query('commit') };
  } catch (error) {
    // A value can't be encoded: the statements sent so far must neither stay open nor be committed with the next
    // batch.
    return { work: [...work, client.query('rollback')], commit: Promise.reject(error) };
  } finally {
    stream.uncork();
  }
};
