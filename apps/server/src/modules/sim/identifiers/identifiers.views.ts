import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import type { SimScope } from '../sim-scope.views.ts';
import { type Identity, plainIdentifier } from './identifiers.rules.ts';

const iccidShape = /^[0-9A-Za-z]{18,22}$/;
const imsiShape = /^\d{6,15}$/;
const msisdnShape = /^\d{5,15}$/;

/** The organisation's SIMs that the ICCIDs, IMSIs and MSISDNs name, however they are mixed. */
export const findIdentified = async (
  db: Db,
  scope: SimScope,
  identifiers: readonly string[],
): Promise<Identity[]> => {
  const plain = [...new Set(identifiers.map(plainIdentifier))];
  const shaped = (shape: RegExp) => plain.filter((text) => shape.test(text));
  // Each by its own index: of one condition with "or" the planner makes a walk over all SIMs when the lists are long.
  const { rows } = await sql<Identity>`
    select s.id, s.iccid, s.imsi, s.msisdn from sims s
    where ${scope.sims} and s.iccid = any(${shaped(iccidShape)}::text[])
    union
    select s.id, s.iccid, s.imsi, s.msisdn from sims s
    where ${scope.sims} and s.imsi = any(${shaped(imsiShape)}::text[])
    union
    select s.id, s.iccid, s.imsi, s.msisdn from sims s
    where ${scope.sims} and s.msisdn = any(${shaped(msisdnShape)}::text[])`.execute(db);
  return rows;
};
