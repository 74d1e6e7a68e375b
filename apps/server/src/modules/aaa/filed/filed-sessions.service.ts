import type { SessionCounts, Volume } from '../../usage/index.ts';
import {
  advanceSessions,
  findCounted,
  lockSessions,
  type SessionRef,
  storeFiled,
} from './filed-sessions.queries.ts';
import { type CountedSession, countFiled } from './filed-sessions.rules.ts';

/** Counts records of files together with accounting's reports on the same sessions, in the transaction of the import. */
export const filedSessions: SessionCounts = {
  lock: (tx, records) => lockSessions(tx, [...sessionsOf(records).values()]),

  async count(tx, records) {
    const refs = sessionsOf(records);
    const found = await findCounted(tx, [...refs.values()]);
    const counted = new Map<string, CountedSession>(found.map((session) => [nameOf(session), session]));
    const added = records.map((record): Volume => {
      const name = nameOf(record);
      const outcome = countFiled(counted.get(name), record);
      if (outcome.session) counted.set(name, outcome.session);
      return outcome.added;
    });
    const changed = [...refs].flatMap(([name, ref]) => {
      const session = counted.get(name);
      return session ? [{ ...session, ...ref }] : [];
    });
    await advanceSessions(
      tx,
      changed.filter(({ radius }) => radius !== null),
    );
    await storeFiled(
      tx,
      changed.filter(({ radius }) => radius === null),
    );
    return added;
  },
};

const nameOf = ({ simId, sessionKey }: SessionRef): string => `${simId} ${sessionKey}`;

/** Each session once. */
const sessionsOf = (records: readonly SessionRef[]): Map<string, SessionRef> =>
  new Map(records.map(({ simId, sessionKey }) => [nameOf({ simId, sessionKey }), { simId, sessionKey }]));
