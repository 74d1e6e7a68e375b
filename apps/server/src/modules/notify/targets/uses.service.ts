import type { Language } from '@simcube/contract';
import { phrase } from '@simcube/phrases';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { findService } from '../../sms/index.ts';

/** What uses targets; known by higher modules. */
export type UsesOf = readonly {
  what: 'rules' | 'schedules' | 'reports';
  /** Their names; an empty text for one without a name. */
  list: (tx: Sql, target: { orgId: number; id: number }) => Promise<string[]>;
}[];

/** Called in the transaction that removes a target, as long as its deliveries exist. */
export type BeforeRemoval = (tx: Sql, target: { id: number }) => Promise<void>;

const maxNames = 5;

interface UsesQuery {
  orgId: number;
  target: { id: number; name: string };
  language: Language;
  usesOf: UsesOf;
}

/**
 * Target and organisation are locked, so that nothing can begin to use it.
 * @throws Failure CB-09-0033
 */
export const requireUnused = async (
  tx: Sql,
  { orgId, target: { id, name }, language, usesOf }: UsesQuery,
): Promise<void> => {
  const uses: string[] = [];
  for (const { what, list } of usesOf) {
    const names = await list(tx, { orgId, id });
    if (names.length > 0)
      uses.push(phrase(language, `notify.uses.${what}`, { names: formatNames(names, language) }));
  }
  const { forwardTo } = await findService(tx, orgId);
  if (forwardTo.includes(id)) uses.push(phrase(language, 'notify.uses.forwarding'));
  if (uses.length > 0) fail('CB-09-0033', { values: { name, uses: formatList(uses, language) } });
};

/** The first of them, and how many more there are. */
const formatNames = (all: readonly string[], language: Language): string => {
  const names = formatList(all.slice(0, maxNames), language);
  const count = all.length - maxNames;
  return count > 0 ? phrase(language, 'notify.uses.more', { names, count }) : names;
};

const formatList = (texts: readonly string[], language: Language): string =>
  new Intl.ListFormat(language, { style: 'short', type: 'unit' }).format(texts);
