import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { countPlaces, countSeats, lockOrganisation, lockPerson } from './seats.queries.ts';

/*
 * Order of locks, for everybody who takes several: memberships that are held, then organisations from the top down,
 * then people by id. This order prevents deadlocks.
 */

/**
 * Takes one more seat of the organisation, for an account or an invitation that the caller's transaction makes. Two who
 * want the last one come one after the other.
 * @throws Failure CB-07-0015 when none is left, CB-07-0029 when the organisation is gone
 */
export const takeSeat = async (tx: Sql, { orgId, now }: { orgId: number; now: Date }): Promise<void> => {
  const { seatLimit } = (await lockOrganisation(tx, orgId)) ?? fail('CB-07-0029');
  if ((await countSeats(tx, { orgId, now })) >= (seatLimit ?? limits.seats)) fail('CB-07-0015');
};

/**
 * Takes one more place among the organisations of a person, for a membership that the caller's transaction makes.
 * @throws Failure CB-07-0023 when the person belongs to as many as anybody may, CB-07-0028 when there is no such person
 */
export const takePlace = async (tx: Sql, userId: string): Promise<void> => {
  if (!(await lockPerson(tx, userId))) fail('CB-07-0028');
  if ((await countPlaces(tx, userId)) >= limits.organisationsPerPerson) fail('CB-07-0023');
};
