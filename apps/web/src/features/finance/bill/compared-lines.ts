import type { BillLine } from '@simcube/contract/finance';

/** Identifies the same line in two versions: by its section and its subject. */
const identityOf = ({ organisation, kind, corrects, bundle, zone, pool }: BillLine): string =>
  JSON.stringify([organisation.code, kind, corrects, bundle?.code, zone?.code, pool?.id]);

/** A line as it was in the previous version; undefined if that isn't known, or had the subject more than once. */
export const formerOf = (
  previousLines: readonly BillLine[] | undefined,
  line: BillLine,
): BillLine | undefined => {
  const identity = identityOf(line);
  const former = previousLines?.filter((one) => identityOf(one) === identity) ?? [];
  return former.length === 1 ? former[0] : undefined;
};

/** By how much the amounts of lines differ from the previous version, dropped ones included. */
export const differenceOf = (lines: readonly BillLine[], dropped: readonly BillLine[]): number =>
  lines.reduce((sum, { amount_minor: amount, before_minor: before }) => sum + amount - (before ?? 0), 0) -
  dropped.reduce((sum, { amount_minor: amount }) => sum + amount, 0);

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
