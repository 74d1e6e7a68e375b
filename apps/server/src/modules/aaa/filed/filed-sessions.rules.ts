import type { SessionRecord, Volume } from '../../usage/index.ts';

/** The part of a session that was counted, as cumulative volume; `to` is what the next report is compared with. */
export interface CountedSession {
  from: Volume;
  to: Volume;
  /** End of its last record in files, milliseconds. */
  endedAt: number;
  /** Whether accounting knows it, and since when under this id if the id was used before. */
  radius: { reusedAt: number | null } | null;
}

/**
 * What a record of a file adds to a session, and the session after it. The counted part has no gap: volume between two
 * reports was used too, even if none of them contains it. So whichever reports get lost, and in whatever order the
 * others arrive, each octet counts once. Pure.
 */
export const countFiled = (
  session: CountedSession | undefined,
  { up, down, total, endedAt }: SessionRecord,
): { session: CountedSession | undefined; added: Volume } => {
  const own = { up, down };
  const begin = { up: total.up - up, down: total.down - down };
  if (!session) return { session: { from: begin, to: total, endedAt, radius: null }, added: own };
  const { from, to, radius } = session;
  if (radius) {
    // From an earlier session with the same id.
    if (radius.reusedAt !== null && endedAt < radius.reusedAt) return { session, added: own };
  } else {
    // Counters of one session never decrease; if they seem to, the gateway has used the id again.
    const isLess = total.up < to.up || total.down < to.down;
    const isMore = total.up > to.up || total.down > to.down;
    if (endedAt > session.endedAt && isLess)
      return { session: { from: begin, to: total, endedAt, radius }, added: own };
    if (endedAt < session.endedAt && isMore) return { session, added: own };
  }
  const after = {
    from: { up: Math.min(from.up, begin.up), down: Math.min(from.down, begin.down) },
    to: { up: Math.max(to.up, total.up), down: Math.max(to.down, total.down) },
    endedAt: Math.max(session.endedAt, endedAt),
    radius,
  };
  const added = {
    up: from.up - after.from.up + (after.to.up - to.up),
    down: from.down - after.from.down + (after.to.down - to.down),
  };
  return { session: after, added };
};
