import { inChunks } from '../collections/index.ts';

/**
 * Facts about rows that are grouped by organisation, for `emitMany`: each is about one organisation.
 * @param size maximum number of rows in a fact
 */
export const factsByOrganisation = <R, P>(
  groups: ReadonlyMap<number, readonly R[]>,
  size: number,
  payloadOf: (part: R[], context: { orgId: number; isFirst: boolean }) => P,
): { orgId: number; payload: P }[] =>
  [...groups].flatMap(([orgId, rows]) =>
    inChunks(rows, size).map((part, index) => ({
      orgId,
      payload: payloadOf(part, { orgId, isFirst: index === 0 }),
    })),
  );
