import { int8Column, type Sql } from '../../../platform/db/index.ts';
import type { OnTransfer } from '../../sim/index.ts';
import { caseVariants, inEitherCase, simsBy } from '../../sim/index.ts';

/** The organisation's SIMs with these ICCIDs, in either case: ICCID as given → id. */
export const findOwnSims = async (
  from: Sql,
  { orgId, iccids }: { orgId: number; iccids: readonly string[] },
): Promise<Map<string, number>> => {
  const { rows } = await from.query<{ iccid: string; id: number }>(
    `select s.iccid, s.id from ${simsBy('iccid')} i join sims s on s.id = i.sim_id
     where i.value = any($1::text[]) and s.org_id = $2`,
    [iccids.flatMap(caseVariants), orgId],
  );
  const stored = new Map(rows.map(({ iccid, id }) => [iccid, id]));
  return new Map(
    iccids.flatMap((iccid): [string, number][] => {
      const id = inEitherCase(iccid, stored);
      return id === undefined ? [] : [[iccid, id]];
    }),
  );
};

export interface NewList {
  ruleId: number;
  /** Name of its file; null: ICCIDs were typed. */
  name: string | null;
  digest: string | null;
  sims: readonly { simId: number; imei: string }[];
  at: Date;
}

/** @returns the id of the list */
export const insertList = async (tx: Sql, { ruleId, name, digest, sims, at }: NewList): Promise<string> => {
  const { rows } = await tx.query<{ id: string }>(
    `with made as (
       insert into autoflow_lists (rule_id, name, digest, created_at) values ($1, $2, $3, $4) returning id),
     filled as (
       insert into autoflow_list_sims (list_id, sim_id, imei)
       select made.id, v.sim_id, v.imei from made, unnest($5::bigint[], $6::text[]) as v (sim_id, imei))
     select id::text as id from made`,
    [ruleId, name, digest, at, int8Column(sims, ({ simId }) => simId), sims.map(({ imei }) => imei)],
  );
  const [inserted] = rows;
  if (!inserted) throw new Error('The list was not stored');
  return inserted.id;
};

/** The SIMs of a list. */
export const listSimsOf = async (from: Sql, listId: string): Promise<Set<number>> =>
  new Set(
    (
      await from.query<{ sim_id: number }>('select sim_id from autoflow_list_sims where list_id = $1', [
        listId,
      ])
    ).rows.map(({ sim_id: id }) => id),
  );

/** Permanently removes SIMs that change hands from the lists of their former organisation. */
export const removeFromLists: OnTransfer = async (tx, { simIds }) => {
  await tx.query('delete from autoflow_list_sims where sim_id = any($1::bigint[])', [simIds]);
};
