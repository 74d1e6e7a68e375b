import { limits } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { countJoined, countSeats, lockOrganisation, lockPerson } from './seats.queries.ts';

/*
 * Lock order for transactions that take several: memberships, then organisations from the top down, then people
 * by id. This prevents deadlocks.
 */

/**
 * Takes a seat of the organisation for an account or invitation that the caller's transaction creates.
 * Concurrent calls are serialised.
 * @throws Failure CB-07-0015 when none is left, CB-07-0029 when the organisation no longer exists
 */
export const takeSeat = async (tx: Sql, { orgId, now }: { orgId: number; now: Date }): Promise<void> => {
  const { seatLimit } = (await lockOrganisation(tx, orgId)) ?? fail('CB-07-0029');
  if ((await countSeats(tx, { orgId, now })) >= (seatLimit ?? limits.seats)) fail('CB-07-0015');
};

/**
 * Takes one of the organisations that a person may belong to, for a membership that the caller's transaction
 * creates.
 * @throws Failure CB-07-0023 when the person belongs to the maximum number, CB-07-0028 when the person does not
 * exist
 */
export const takeMembershipSlot = async (tx: Sql, userId: string): Promise<void> => {
  if (!(await lockPerson(tx, userId))) fail('CB-07-0028');
  if (!(await hasMembershipSlot(tx, userId))) fail('CB-07-0023');
};

/** Whether the person may join or create another organisation. */
export const hasMembershipSlot = async (sql: Sql, userId: string): Promise<boolean> =>
  (await countJoined(sql, userId)) < limits.organisationsPerPerson;
