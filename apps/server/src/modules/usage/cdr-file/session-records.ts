import type pg from 'pg';
import type { Chunk, SessionCounts, SessionRecord } from './records.ts';

/** Records of the chunk that name their session's cumulative volume, with their positions. */
export const sessionRecordsOf = ({
  columns,
  owners,
  sims,
  order,
}: Chunk): (SessionRecord & { position: number })[] => {
  const { totals } = columns;
  if (!totals) return [];
  const records: (SessionRecord & { position: number })[] = [];
  for (const position of order) {
    const of = (column: ArrayLike<number>) => column[position] as number;
    const simId = sims[of(owners)]?.simId;
    if (simId === undefined || Number.isNaN(of(totals.up))) continue;
    records.push({
      position,
      simId,
      sessionKey: of(columns.session),
      endedAt: of(columns.endedAt),
      up: of(columns.up),
      down: of(columns.down),
      total: { up: of(totals.up), down: of(totals.down) },
    });
  }
  return records;
};

/**
 * The chunk with what each of its records adds to its session; records that add nothing are left out. The rows of its
 * SIMs are locked.
 */
export const countSessions = async (
  tx: pg.PoolClient,
  chunk: Chunk,
  sessions: SessionCounts,
): Promise<Chunk> => {
  const records = sessionRecordsOf(chunk);
  if (records.length === 0) return chunk;
  const added = await sessions.count(tx, records);
  // A copy: the records are counted again if this attempt fails.
  const columns = chunk.columns.withVolumes();
  const isEmpty = new Set<number>();
  for (const [index, { position, up, down }] of records.entries()) {
    const volume = added[index] ?? { up, down };
    columns.up[position] = volume.up;
    columns.down[position] = volume.down;
    if (volume.up + volume.down === 0 && up + down > 0) isEmpty.add(position);
  }
  return { ...chunk, columns, order: chunk.order.filter((position) => !isEmpty.has(position)) };
};
