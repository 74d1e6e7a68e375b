import { iccidSchema, type PermissionMap } from '@simcube/contract';
import type {
  NewScope,
  NewTrigger,
  RuleBody,
  RuleDefinition,
  RuleState,
  RuleUpdateBody,
  Scope,
  Trigger,
} from '@simcube/contract/autoflow';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { type AuditChange, changedFields, recordAudit } from '../../audit/index.ts';
import { lockTarget } from '../../notify/index.ts';
import { lockOrganisation } from '../../org/index.ts';
import type { Orderer } from '../../sim/index.ts';
import { mayOrder } from '../actions/operations.service.ts';
import { armRules } from '../engine/arming.service.ts';
import { findOwnSims, insertList, listSimsOf } from '../scopes/lists.queries.ts';
import { storeRuleFile } from '../scopes/rule-file.service.ts';
import { lockTemplate } from '../templates/templates.queries.ts';
import { requireWriteAccess } from '../write-access.ts';
import { unknownValues } from './countries.rules.ts';
import { hasEnded, listIds, timesBeforeNow } from './rule.rules.ts';
import {
  insertRule,
  insertVersion,
  isRuleNameTaken,
  type LockedRule,
  lockRule,
  markRemoved,
  rearmRule,
  setOwner,
} from './rules.queries.ts';
import { countRules } from './rules.views.ts';

export interface SavingOptions {
  pool: pg.Pool;
  clock: Clock;
  /** Maximum number of rules in an organisation. */
  maxRules: number;
}

/** The person who changes rules, with the permissions of the call: an API key may have fewer than its account. */
export interface RuleOrderer extends Orderer {
  org: { id: number; permissions: PermissionMap };
}

/** Serialises changes of an organisation's rules, because they all determine what its usage is watched for. */
export const createRules = ({ pool, clock, maxRules }: SavingOptions) => {
  const record = (
    tx: Sql,
    { org, actor }: Orderer,
    { id, name, before, after, at }: { id: number; name: string; at: Date } & AuditChange,
  ) => {
    const subject = { kind: 'autoflow', id: String(id), name } as const;
    return recordAudit(tx, { orgId: org.id, actor, at, subject, before, after });
  };

  const lockOwnRule = async (tx: Sql, { org }: Orderer, id: number): Promise<LockedRule> =>
    (await lockRule(tx, { orgId: org.id, id })) ?? fail('CB-05-0002');

  /** @throws Failure CB-05-0003 */
  const requireFreeName = async (tx: Sql, orgId: number, name: string, exceptId: number | null) => {
    if (await isRuleNameTaken(tx, { orgId, name, exceptId })) fail('CB-05-0003');
  };

  /**
   * A rule's operations on SIMs are done in the name of the person who last saved or enabled it, so that no one can
   * do through a rule what they are not permitted to do.
   * @throws Failure CB-00-0403
   */
  const requirePermissions = (
    permissions: PermissionMap,
    orderer: RuleOrderer,
    actions: RuleDefinition['actions'],
  ): void => {
    if (!mayOrder(permissions, actions) || !mayOrder(orderer.org.permissions, actions)) fail('CB-00-0403');
  };

  /** Makes the person its owner. @returns the change to be recorded; empty if the person was the owner already */
  const takeOver = async (tx: Sql, orderer: RuleOrderer, { id, ownerId, owner }: LockedRule) => {
    if (ownerId === orderer.userId) return {};
    return { before: { owner }, after: { owner: await setOwner(tx, { id, userId: orderer.userId }) } };
  };

  return {
    /** @returns the id of the rule. @throws Failure CB-00-0400, CB-00-0403, CB-05-0003, CB-05-0004, CB-05-0005 and those of its parts */
    create: (orderer: RuleOrderer, { name, enabled, ...input }: RuleBody): Promise<number> =>
      inTransaction(pool, async (tx) => {
        const { org, userId } = orderer;
        const { permissions } = await requireWriteAccess(tx, orderer);
        requirePermissions(permissions, orderer, input.actions);
        requireKnownValues(input.trigger);
        await lockOrganisation(tx, org.id);
        if ((await countRules(tx, org.id)) >= maxRules) fail('CB-05-0004', { values: { max: maxRules } });
        await requireFreeName(tx, org.id, name, null);
        const at = clock.now();
        refuseTimes(timesBeforeNow(input, { now: at, previous: null }));
        await requireActions(tx, org.id, input.actions);
        const id = await insertRule(tx, {
          orgId: org.id,
          name,
          kind: input.trigger.kind,
          enabled,
          userId,
          at,
        });
        const definition = await definitionOf(tx, orderer, { input, ruleId: id, previous: null, at });
        await insertVersion(tx, { ruleId: id, version: 1, definition, at });
        await armRules(tx, { orgId: org.id, at });
        await record(tx, orderer, { id, name, before: null, after: { name, enabled, ...definition }, at });
        return id;
      }),

    /**
     * Creates a new version, unless nothing changes; the person becomes the owner in any case. The state stays as it is
     * unless `enabled` is set. @throws Failure CB-05-0002, CB-05-0012 if there is a newer version, and those of a new rule
     */
    update: (
      orderer: RuleOrderer,
      { id, version }: { id: number; version: number },
      { name, enabled: state, ...input }: Omit<RuleUpdateBody, 'ruleId' | 'version'>,
    ): Promise<number> =>
      inTransaction(pool, async (tx) => {
        const { org } = orderer;
        const { permissions } = await requireWriteAccess(tx, orderer);
        requirePermissions(permissions, orderer, input.actions);
        requireKnownValues(input.trigger);
        await lockOrganisation(tx, org.id);
        const previous = await lockOwnRule(tx, orderer, id);
        if (previous.version !== version) fail('CB-05-0012');
        const enabled = state ?? previous.enabled;
        await requireFreeName(tx, org.id, name, id);
        const at = clock.now();
        refuseTimes(timesBeforeNow(input, { now: at, previous: previous.definition }));
        if (enabled && !previous.enabled && hasEnded(input, at)) refuseTimes(['active_until']);
        await requireActions(tx, org.id, input.actions);
        const definition = await definitionOf(tx, orderer, {
          input,
          ruleId: id,
          previous: previous.definition,
          at,
        });
        const change = changedFields(
          { name: previous.name, enabled: previous.enabled, ...previous.definition },
          { name, enabled, ...definition },
        );
        const owners = await takeOver(tx, orderer, previous);
        if (change) {
          await insertVersion(tx, { ruleId: id, version: version + 1, definition, at });
          await rearmRule(tx, { id, name, enabled, at });
          await armRules(tx, { orgId: org.id, at });
        }
        const before = { ...change?.before, ...owners.before };
        const after = { ...change?.after, ...owners.after };
        if (Object.keys(after).length > 0) await record(tx, orderer, { id, name, before, after, at });
        return id;
      }),

    /** Once enabled, it evaluates only new events, in the name of this person. @throws Failure CB-00-0403, CB-05-0002, CB-05-0005 if its end has passed */
    setState: (orderer: RuleOrderer, { id, state }: { id: number; state: RuleState }): Promise<void> =>
      inTransaction(pool, async (tx) => {
        const { permissions } = await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orderer.org.id);
        const previous = await lockOwnRule(tx, orderer, id);
        const enabled = state === 'enabled';
        if (previous.enabled === enabled) return;
        if (enabled) requirePermissions(permissions, orderer, previous.definition.actions);
        const at = clock.now();
        if (enabled && hasEnded(previous.definition, at)) fail('CB-05-0005');
        const owners = enabled ? await takeOver(tx, orderer, previous) : {};
        await rearmRule(tx, { id, name: previous.name, enabled, at });
        await armRules(tx, { orgId: orderer.org.id, at });
        const before = { enabled: previous.enabled, ...owners.before };
        const after = { enabled, ...owners.after };
        await record(tx, orderer, { id, name: previous.name, before, after, at });
      }),

    /** @throws Failure CB-05-0002 */
    remove: (orderer: Orderer, { id, scene }: { id: number; scene: string | undefined }): Promise<null> =>
      inTransaction(pool, async (tx) => {
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, orderer.org.id);
        const previous = await lockOwnRule(tx, orderer, id);
        const at = clock.now();
        await markRemoved(tx, { id, at });
        await armRules(tx, { orgId: orderer.org.id, at });
        const before = { name: previous.name, enabled: previous.enabled, ...previous.definition };
        await record(tx, orderer, { id, name: previous.name, before, after: scene ? { scene } : null, at });
        return null;
      }),
  };
};

/** @throws Failure CB-00-0400 for a trigger that would never fire */
export const requireKnownValues = (trigger: NewTrigger): void => {
  const issues = unknownValues(trigger);
  if (issues.length > 0) fail('CB-00-0400', { issues });
};

/** @throws Failure CB-05-0005, naming the fields */
const refuseTimes = (names: readonly string[]): void => {
  if (names.length > 0) fail('CB-05-0005', { issues: names.map((path) => ({ path, key: 'timePassed' })) });
};

interface DefinitionInput {
  input: Omit<RuleBody, 'name' | 'enabled'>;
  ruleId: number;
  previous: RuleDefinition | null;
  at: Date;
}

/** The stored definition: files and typed ICCIDs become lists. */
const definitionOf = async (tx: Sql, orderer: Orderer, input: DefinitionInput): Promise<RuleDefinition> => {
  const { trigger, scope, ...rest } = input.input;
  return {
    trigger: await triggerOf(tx, orderer, trigger, input),
    scope: await scopeOf(tx, orderer, scope, input),
    ...rest,
  };
};

const triggerOf = async (
  tx: Sql,
  orderer: Orderer,
  trigger: NewTrigger,
  { ruleId, previous, at }: DefinitionInput,
): Promise<Trigger> => {
  if (!('file' in trigger)) return trigger;
  const { file, ...known } = trigger;
  const previousListId = previous && listIds(previous).imeis;
  return {
    ...known,
    list_id: await storeRuleFile(tx, orderer, { file, kind: 'imeis', ruleId, previousListId, at }),
  };
};

const scopeOf = async (
  tx: Sql,
  orderer: Orderer,
  scope: NewScope,
  { ruleId, previous, at }: DefinitionInput,
): Promise<Scope> => {
  const previousListId = previous?.scope.kind === scope.kind ? listIds(previous).scope : null;
  switch (scope.kind) {
    case 'uploaded': {
      const { file, kind } = scope;
      return {
        kind,
        list_id: await storeRuleFile(tx, orderer, { file, kind: 'sims', ruleId, previousListId, at }),
      };
    }
    case 'manual': {
      const simIds = await requireOwnSims(tx, orderer.org.id, scope.iccids);
      const list = previousListId === null ? undefined : await listSimsOf(tx, previousListId);
      const isSame = list?.size === simIds.length && simIds.every((id) => list.has(id));
      if (previousListId !== null && isSame) return { kind: scope.kind, list_id: previousListId };
      const sims = simIds.map((simId) => ({ simId, imei: '' }));
      return {
        kind: scope.kind,
        list_id: await insertList(tx, { ruleId, name: null, digest: null, sims, at }),
      };
    }
    default:
      return scope;
  }
};

/** The SIMs for typed ICCIDs. @throws Failure CB-01-0021, CB-01-0020, CB-01-0012 */
export const requireOwnSims = async (
  tx: Sql,
  orgId: number,
  iccids: readonly string[],
): Promise<number[]> => {
  if (iccids.some((iccid) => !iccidSchema.safeParse(iccid).success)) fail('CB-01-0021');
  if (new Set(iccids.map((iccid) => iccid.toUpperCase())).size < iccids.length) fail('CB-01-0020');
  const own = await findOwnSims(tx, { orgId, iccids });
  return iccids.map((iccid) => own.get(iccid) ?? fail('CB-01-0012'));
};

const channels = { mail: 'email', api: 'api', sms: 'sms' } as const;

/** Targets and templates must belong to the organisation. @throws Failure CB-09-0017, CB-05-0008 */
const requireActions = async (tx: Sql, orgId: number, actions: RuleDefinition['actions']): Promise<void> => {
  for (const action of actions) {
    if (!('group_id' in action)) continue;
    const target = { orgId, id: Number(action.group_id), kind: channels[action.kind] };
    if (!(await lockTarget(tx, target))) fail('CB-09-0017');
    if (!('template_id' in action) || action.template_id === null) continue;
    if (!(await lockTemplate(tx, { orgId, id: Number(action.template_id) }))) fail('CB-05-0008');
  }
};
