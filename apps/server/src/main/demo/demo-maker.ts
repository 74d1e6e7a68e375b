import type { AuditAction } from '@simcube/contract/audit';
import type pg from 'pg';
import { createTargets } from '../../modules/notify/index.ts';
import type { Orderer } from '../../modules/sim/index.ts';
import type { Clock } from '../../platform/clock/index.ts';
import type { Vault } from '../../platform/secrets/index.ts';
import { findMember, listRuleParts } from './demo.queries.ts';

/** The person who made the demonstration customer's rules, schedules and so on. */
export const maker = { email: 'admin@acme.example', code: 'ACME' } as const;

const addressGroup = {
  name: 'Fleet desk',
  addresses: ['fleet@acme.example', 'night@acme.example', 'dispatch@acme.example', 'admin@acme.example'],
};

export interface DemoContext {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
}

export interface Maker {
  orgId: number;
  by: (action: AuditAction) => Orderer;
  /** The address group for its notifications. */
  groupId: number;
}

/** @returns undefined if the person is not a member */
export const findMaker = async ({ pool, clock, vault }: DemoContext): Promise<Maker | undefined> => {
  const member = await findMember(pool, maker);
  if (!member) return undefined;
  const { orgId, userId, name } = member;
  const by = (action: AuditAction): Orderer => ({
    org: { id: orgId },
    userId,
    actor: { kind: 'person', id: userId, name, address: null, traceId: null, action },
    language: 'en-US',
  });
  const findPart = await listRuleParts(pool, orgId);
  const groupId =
    findPart('target', addressGroup.name) ??
    (
      await createTargets({ pool, clock, vault }).create(
        { ...by('address-group.created'), orgId },
        { kind: 'email', ...addressGroup },
      )
    ).id;
  return { orgId, by, groupId: Number(groupId) };
};
