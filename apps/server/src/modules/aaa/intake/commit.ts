import type pg from 'pg';
import type { Shards, Statement } from '../../../platform/db/index.ts';
import { addToCycles } from '../../bundle/index.ts';
import { countForPools } from '../../pool/index.ts';
import { recordSimEvents } from '../../sim/index.ts';
import { addCdrs, orgUsage, simUsage } from '../../usage/index.ts';
import type { Changes } from './changes.ts';
import { emitFacts } from './emit-facts.ts';
import { writeImeis, writeSessions, writeSims } from './write.queries.ts';

const inFailedTransaction = '25P02';

/**
 * Writes a batch in one transaction, sent in one go: `client` pipelines, so begin, every statement and commit are on
 * their way before the first answer is here. A statement that fails turns the commit into a rollback.
 * @throws the first error of the database; nothing is written then, unless the connection broke at the commit
 */
export const commitChanges = async (
  client: pg.Client,
  changes: Changes,
  { now, shards }: { now: number; shards: Shards | undefined },
): Promise<void> => {
  const sims = [...changes.sims.values()].sort((a, b) => a.sim.simId - b.sim.simId);
  const send = (statements: Statement[]) => statements.map((statement) => client.query(statement));
  const steps = [
    () => writeSessions(client, changes, shards),
    () => writeSims(client, sims),
    () => send(addCdrs(changes.cdrs)),
    () => send(simUsage(changes.hours)),
    () => send(addToCycles({ closed: changes.cycles, late: changes.lateCycles })),
    () => [
      recordSimEvents(
        client,
        changes.events.sort((a, b) => a.simId - b.simId),
      ),
    ],
    () => writeImeis(client, changes.imeis),
    () => emitFacts(client, changes, now),
    () => send(countForPools(changes.pooled)),
    () => send(orgUsage(changes.orgHours)),
  ];
  const { work, commit } = sendTogether(client, steps);
  const results = await Promise.allSettled([...work, commit]);
  for (const result of results) {
    if (result.status === 'rejected' && (result.reason as { code?: string }).code !== inFailedTransaction) {
      throw result.reason;
    }
  }
  const { command } = await commit;
  if (command !== 'COMMIT') throw new Error(`The batch was not committed but: ${command}`);
};

/** In one write, so that a batch costs a system call and not one for each statement, here and in the database. */
const sendTogether = (client: pg.Client, steps: readonly (() => Promise<unknown>[])[]) => {
  const { stream } = client.connection;
  stream.cork();
  const work: Promise<unknown>[] = [client.query('begin')];
  try {
    for (const step of steps) work.push(...step());
    return { work, commit: client.query('commit') };
  } catch (error) {
    // A value that can't be encoded: what was sent before it must not stay open, nor be committed by the next batch.
    return { work: [...work, client.query('rollback')], commit: Promise.reject(error) };
  } finally {
    stream.uncork();
  }
};
