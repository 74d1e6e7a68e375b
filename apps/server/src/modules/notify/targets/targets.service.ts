import { type Language, limits } from '@simcube/contract';
import type { Channel } from '@simcube/contract/notify';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail, requireVersion } from '../../../platform/http/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { type AuditChange, changedFields, recordAudit } from '../../audit/index.ts';
import { lockOrganisation, requirePermission } from '../../org/index.ts';
import { issueSecret } from './secrets.service.ts';
import { requireSendableUrl } from './target-urls.ts';
import {
  countTargets,
  deleteTarget,
  insertTarget,
  isNameTaken,
  type LockedTarget,
  lockTarget,
  resumeTarget,
  updateTarget,
} from './targets.queries.ts';
import { readTarget, type TargetRow } from './targets.views.ts';
import { type BeforeRemoval, requireUnused, type UsesOf } from './uses.service.ts';
import { expediteDeliveries } from './waiting.queries.ts';

export interface TargetCaller {
  orgId: number;
  userId: string;
  language: Language;
  actor: Actor;
}

export interface TargetOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  /** Private networks that requests may reach. */
  outboundNetworks?: readonly string[] | undefined;
  /** Called before a target is removed. */
  usesOf?: UsesOf | undefined;
  beforeRemoval?: BeforeRemoval | undefined;
}

interface TargetInput {
  name: string;
  addresses: readonly string[];
}

/** What the audit trail calls the addresses of a kind. */
const fieldOf: Record<Channel, string> = { email: 'emails', sms: 'phones', api: 'url' };

/** Targets of all kinds; the endpoint's schema has checked their addresses. */
export const createTargets = ({
  pool,
  clock,
  vault,
  outboundNetworks,
  usesOf = [],
  beforeRemoval,
}: TargetOptions) => {
  /**
   * Serialises the changes of an organisation, so that neither a name nor the number of targets passes a check
   * twice. Results of deliveries, written concurrently, lock deliveries and lanes before the target.
   */
  const changeTargets = <T>({ orgId, userId }: TargetCaller, work: (tx: Sql) => Promise<T>): Promise<T> =>
    inRepeatableTransaction(pool, async (tx) => {
      await requirePermission(tx, { orgId, userId, key: 'account', action: 'write' });
      await lockOrganisation(tx, orgId);
      return work(tx);
    });
  const record = (
    tx: Sql,
    { orgId, actor }: TargetCaller,
    { id, name, before, after }: { id: number; name: string } & AuditChange,
  ) =>
    recordAudit(tx, {
      orgId,
      actor,
      at: clock.now(),
      subject: { kind: 'group', id: String(id), name },
      before,
      after,
    });
  const lockOwnTarget = async (
    tx: Sql,
    { orgId }: TargetCaller,
    { id, kind }: { id: number; kind?: Channel },
  ): Promise<LockedTarget> =>
    (await lockTarget(tx, { orgId, id, ...(kind && { kind }) })) ?? fail('CB-09-0017');
  const readOwnTarget = async (tx: Sql, id: number): Promise<TargetRow> =>
    (await readTarget(tx, id)) ?? fail('CB-09-0017');
  const insertNewTarget = async (
    tx: Sql,
    caller: TargetCaller,
    { kind, name, addresses }: TargetInput & { kind: Channel },
  ) => {
    const { orgId, userId: ownerId, language } = caller;
    if (await isNameTaken(tx, { orgId, kind, name, exceptId: null })) fail('CB-09-0016');
    if ((await countTargets(tx, { orgId, kind })) >= limits.addressGroups.perOrganisation)
      fail('CB-09-0018', { values: { max: limits.addressGroups.perOrganisation } });
    return insertTarget(tx, { orgId, kind, name, addresses, ownerId, language, at: clock.now() });
  };
  return {
    /** @throws Failure CB-09-0016 when the name is taken, CB-09-0018 when the maximum number exists */
    create: (caller: TargetCaller, input: TargetInput & { kind: 'email' | 'sms' }): Promise<TargetRow> =>
      changeTargets(caller, async (tx) => {
        const id = await insertNewTarget(tx, caller, input);
        await record(tx, caller, { id, name: input.name, before: null, after: auditedFields(input) });
        return readOwnTarget(tx, id);
      }),

    /**
     * The same, with a secret that is shown only now.
     * @throws Failure CB-00-0400 for a URL inside the own network
     */
    createApi: (caller: TargetCaller, input: TargetInput): Promise<{ target: TargetRow; secret: string }> =>
      changeTargets(caller, async (tx) => {
        requireSendableUrl(input.addresses[0], outboundNetworks);
        const target = { ...input, kind: 'api' } as const;
        const id = await insertNewTarget(tx, caller, target);
        const secret = await issueSecret(tx, { targetId: id, vault, at: clock.now() });
        await record(tx, caller, { id, name: input.name, before: null, after: auditedFields(target) });
        return { target: await readOwnTarget(tx, id), secret };
      }),

    /**
     * A new address of an API target is a new start: it no longer counts as failing, and waiting deliveries are
     * attempted immediately. Saving unchanged values changes nothing, whichever version they were based on.
     * @throws Failure CB-00-0409 when the version has changed, CB-09-0017 when the organisation has no such
     * target, CB-09-0016 when the name is taken, CB-00-0400 for a new URL inside the own network
     */
    update: (
      caller: TargetCaller,
      {
        id,
        kind,
        version,
        name,
        addresses,
      }: TargetInput & { id: number; kind: Channel; version: number | undefined },
    ): Promise<TargetRow> =>
      changeTargets(caller, async (tx) => {
        const target = await lockOwnTarget(tx, caller, { id, kind });
        if (await isNameTaken(tx, { orgId: caller.orgId, kind, name, exceptId: id })) fail('CB-09-0016');
        const change = changedFields(auditedFields(target), auditedFields({ kind, name, addresses }));
        if (change) {
          requireVersion(target, version);
          if ('url' in change.after) requireSendableUrl(addresses[0], outboundNetworks);
          await updateTarget(tx, { id, name, addresses });
          if ('url' in change.after) {
            await resumeTarget(tx, id);
            await expediteDeliveries(tx, id, clock.now());
          }
          await record(tx, caller, { id, name, ...change });
        }
        return readOwnTarget(tx, id);
      }),

    /** @throws Failure CB-09-0017, CB-09-0033 while something uses it and would lose its target */
    remove: (caller: TargetCaller, id: number): Promise<null> =>
      changeTargets(caller, async (tx) => {
        const target = await lockOwnTarget(tx, caller, { id });
        await requireUnused(tx, { ...caller, target, usesOf });
        await beforeRemoval?.(tx, { id });
        await deleteTarget(tx, id);
        await record(tx, caller, { id, name: target.name, before: auditedFields(target), after: null });
        return null;
      }),

    /** @throws Failure CB-09-0017 when the organisation has no such API target */
    renewSecret: (caller: TargetCaller, id: number): Promise<{ target: TargetRow; secret: string }> =>
      changeTargets(caller, async (tx) => {
        const { name } = await lockOwnTarget(tx, caller, { id, kind: 'api' });
        const secret = await issueSecret(tx, { targetId: id, vault, at: clock.now() });
        await record(tx, caller, { id, name, before: null, after: null });
        return { target: await readOwnTarget(tx, id), secret };
      }),

    /**
     * Does nothing for a target that is not paused.
     * @throws Failure CB-09-0017
     */
    resume: (caller: TargetCaller, id: number): Promise<TargetRow> =>
      changeTargets(caller, async (tx) => {
        const { name, paused_for: pausedFor } = await lockOwnTarget(tx, caller, { id, kind: 'api' });
        if (pausedFor !== null) {
          await resumeTarget(tx, id);
          await record(tx, caller, { id, name, before: { paused: pausedFor }, after: { paused: null } });
        }
        return readOwnTarget(tx, id);
      }),
  };
};

/** A target as the audit trail records it. */
const auditedFields = ({
  kind,
  name,
  addresses,
}: TargetInput & { kind: Channel }): Record<string, unknown> => ({
  name,
  [fieldOf[kind]]: kind === 'api' ? addresses[0] : addresses,
});
