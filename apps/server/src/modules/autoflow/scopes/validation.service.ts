import { type ErrorCode, iccidSchema, type Language } from '@simcube/contract';
import type { NewScope, Scope, ScopeValidation } from '@simcube/contract/autoflow';
import { errorText, phrase } from '@simcube/phrases';
import type pg from 'pg';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Orderer } from '../../sim/index.ts';
import { findOwnSims } from './lists.queries.ts';
import { isOwnList } from './lists.views.ts';
import { countScope } from './scope.views.ts';

/** Maximum number of faults in the response; further ones are only counted. */
const maxFaultsShown = 100;

/**
 * The current number of SIMs in a scope, and the faults of typed ICCIDs, by position.
 * @throws Failure CB-05-0006 for a list that does not belong to the organisation; CB-09-0009 for a file, which was
 * counted when it was validated
 */
export const validateScope = async (
  { pool }: { pool: pg.Pool },
  { org, language }: Orderer,
  scope: NewScope,
): Promise<ScopeValidation> => {
  if (scope.kind === 'manual')
    return validateTypedIccids(pool, { orgId: org.id, language, iccids: scope.iccids });
  const counted = scope.kind === 'uploaded' ? await resolveListScope(pool, org, scope) : scope;
  return { sims: await countScope(pool, { orgId: org.id, scope: counted }), errors: [], wrong_rows: 0 };
};

/**
 * @throws Failure CB-05-0006 for a list that does not belong to the organisation; CB-09-0009 for a file not yet saved
 * with a rule
 */
export const resolveListScope = async (
  from: Sql,
  org: { id: number },
  { kind, file }: Extract<NewScope, { kind: 'uploaded' }>,
): Promise<Scope> => {
  if (!('list_id' in file)) return fail('CB-09-0009');
  if (!(await isOwnList(from, { orgId: org.id, listId: file.list_id }))) fail('CB-05-0006');
  return { kind, list_id: file.list_id };
};

const validateTypedIccids = async (
  from: Sql,
  { orgId, language, iccids }: { orgId: number; language: Language; iccids: readonly string[] },
): Promise<ScopeValidation> => {
  const own = await findOwnSims(from, { orgId, iccids });
  const seen = new Set<string>();
  const faults = iccids.flatMap((value, index) => {
    const inUpperCase = value.toUpperCase();
    const code = faultOf(value, { isRepeated: seen.has(inUpperCase), isOwn: own.has(value) });
    seen.add(inUpperCase);
    if (!code) return [];
    const message = errorText(language, code);
    return { row: index + 1, column: phrase(language, 'files.columns.iccid'), value, code, message };
  });
  return {
    sims: new Set(own.values()).size,
    errors: faults.slice(0, maxFaultsShown),
    wrong_rows: faults.length,
  };
};

const faultOf = (
  value: string,
  { isRepeated, isOwn }: { isRepeated: boolean; isOwn: boolean },
): ErrorCode | undefined => {
  if (!iccidSchema.safeParse(value).success) return 'CB-01-0021';
  if (isRepeated) return 'CB-01-0020';
  return isOwn ? undefined : 'CB-01-0012';
};
