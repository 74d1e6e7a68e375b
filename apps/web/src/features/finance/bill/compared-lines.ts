import type { BillLine } from '@simcube/contract/finance';

/** Identifies the same line in two versions: by its section and its subject. */
const identityOf = ({ organisation, kind, corrects, bundle, zone, pool }: BillLine): string =>
  JSON.stringify([organisation.code, kind, corrects, bundle?.code, zone?.code, pool?.id]);

/** Lines of the previous version that this one no longer has. */
export const droppedOf = (previousLines: readonly BillLine[], lines: readonly BillLine[]): BillLine[] => {
  const currentLines = new Set(lines.map(identityOf));
  return previousLines.filter((line) => !currentLines.has(identityOf(line)));
};

/** How many of the lines of both versions are new, dropped, or have another amount. */
export const countChanges = (
  previousLines: readonly BillLine[],
  lines: readonly BillLine[],
): { changed: number; all: number } => {
  const dropped = droppedOf(previousLines, lines).length;
  const changed = lines.filter(({ before_minor: previous, amount_minor: amount }) => previous !== amount);
  return { changed: changed.length + dropped, all: lines.length + dropped };
};
