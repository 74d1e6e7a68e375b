import type { Language } from '@simcube/contract';
import {
  isReplayable,
  type NewScope,
  type NewTrigger,
  type Replay,
  type ReplayBody,
  type RuleDefinition,
  type Scope,
  type Trigger,
} from '@simcube/contract/autoflow';
import { phrase } from '@simcube/phrases';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { enqueue } from '../../../platform/jobs/index.ts';
import { lockOrganisation } from '../../org/index.ts';
import type { Orderer } from '../../sim/index.ts';
import { requireKnownValues, requireOwnSims } from '../rules/rules.service.ts';
import { findVersion } from '../rules/rules.views.ts';
import { readValidatedRows } from '../scopes/rule-file.service.ts';
import { resolveListScope } from '../scopes/validation.service.ts';
import { requireWriteAccess } from '../write-access.ts';
import { replayJob } from './replay.job.ts';
import { cancelReplay, insertReplay } from './replay.queries.ts';
import { createTally, draftListId, type ReplayedRule, replaySpan } from './replay.rules.ts';
import { findReplay } from './replay.views.ts';

export interface ReplayOptions {
  pool: pg.Pool;
  clock: Clock;
}

/** Maximum number of concurrent replays in the installation; those of one organisation run one after the other. */
const lanes = 2;

export const createReplays = ({ pool, clock }: ReplayOptions) => {
  /** @throws Failure CB-05-0017 */
  const get = async (org: { id: number }, id: number): Promise<Replay> =>
    (await findReplay(pool, { id, orgId: org.id })) ?? fail('CB-05-0017');

  return {
    get,

    /**
     * Starts a replay and replaces the person's previous one; concurrent starts are serialised.
     * @throws Failure CB-05-0002, CB-05-0018 if the trigger can't be replayed, and those of an unsaved rule's SIMs
     * and files
     */
    start: (orderer: Orderer, body: ReplayBody): Promise<Replay> =>
      inTransaction(pool, async (tx) => {
        const { org, userId, language } = orderer;
        await requireWriteAccess(tx, orderer);
        await lockOrganisation(tx, org.id);
        const at = clock.now();
        const { replayed, former, ruleId } = await resolveReplay(tx, orderer, body, at);
        requireReplayable(replayed.trigger, language);
        const compared = former && isReplayable(former.trigger) ? former : null;
        const id = await insertReplay(tx, {
          orgId: org.id,
          userId,
          ruleId,
          replayed,
          former: compared,
          span: replaySpan(at),
          tally: createTally(),
          formerTally: compared && createTally(),
          at,
        });
        await enqueue(tx, replayJob, { id }, { queue: `autoflow.replay ${org.id % lanes}` });
        const started = await findReplay(tx, { id, orgId: org.id });
        if (!started) throw new Error('The replay was not stored');
        return started;
      }),

    /** @throws Failure CB-05-0001, CB-05-0017 */
    cancel: (orderer: Orderer, id: number): Promise<null> =>
      inTransaction(pool, async (tx) => {
        await requireWriteAccess(tx, orderer);
        return (await cancelReplay(tx, { id, orgId: orderer.org.id })) ? null : fail('CB-05-0017');
      }),
  };
};

/** @throws Failure CB-05-0018 */
const requireReplayable = (trigger: Trigger, language: Language): void => {
  if (isReplayable(trigger)) return;
  const { kind } = trigger;
  const reason = phrase(language, 'autoflow.notReplayed.presentOnly');
  fail('CB-05-0018', { values: { trigger: phrase(language, `autoflow.triggers.${kind}`), reason } });
};

interface ReplayRequest {
  replayed: ReplayedRule;
  former: ReplayedRule | null;
  ruleId: number | null;
}

/** An unsaved rule is compared with the stored version, a stored one with its previous version. */
const resolveReplay = async (
  tx: Sql,
  orderer: Orderer,
  { ruleId, trigger, scope }: ReplayBody,
  at: Date,
): Promise<ReplayRequest> => {
  const orgId = orderer.org.id;
  const stored = ruleId === undefined ? null : await findVersion(tx, { orgId, id: Number(ruleId), back: 0 });
  if (ruleId !== undefined && !stored) return fail('CB-05-0002');
  const draftScope = scope && (await scopeOf(tx, orderer, scope, at));
  const draftTrigger = trigger && (await triggerOf(tx, orderer, trigger, at));
  const storedRule = stored && toReplayedRule(stored);
  if (!draftScope && !draftTrigger && storedRule) {
    const before = await findVersion(tx, { orgId, id: Number(ruleId), back: 1 });
    return { replayed: storedRule, former: before && toReplayedRule(before), ruleId: Number(ruleId) };
  }
  const triggerPart =
    draftTrigger ?? storedRule ?? fail('CB-00-0400', { issues: [{ path: 'trigger', key: 'required' }] });
  const scopePart = draftScope ?? storedRule ?? { scope: { kind: 'all' as const }, sims: null };
  const replayed = {
    version: null,
    trigger: triggerPart.trigger,
    imeis: triggerPart.imeis,
    scope: scopePart.scope,
    sims: scopePart.sims,
  };
  return { replayed, former: storedRule, ruleId: ruleId === undefined ? null : Number(ruleId) };
};

const toReplayedRule = ({
  version,
  definition: { trigger, scope },
}: {
  version: number;
  definition: RuleDefinition;
}): ReplayedRule => ({ version, trigger, scope, sims: null, imeis: null });

const triggerOf = async (
  tx: Sql,
  orderer: Orderer,
  trigger: NewTrigger,
  at: Date,
): Promise<Pick<ReplayedRule, 'trigger' | 'imeis'>> => {
  requireKnownValues(trigger);
  if (!('file' in trigger)) return { trigger, imeis: null };
  const { file, ...known } = trigger;
  if ('list_id' in file) {
    const { list_id } = await requireOwnList(tx, orderer, file);
    return { trigger: { ...known, list_id }, imeis: null };
  }
  const { sims } = await readValidatedRows(tx, orderer, { file, kind: 'imeis', at });
  return {
    trigger: { ...known, list_id: draftListId },
    imeis: sims.map(({ simId, imei }) => [simId, imei]),
  };
};

const scopeOf = async (
  tx: Sql,
  orderer: Orderer,
  scope: NewScope,
  at: Date,
): Promise<Pick<ReplayedRule, 'scope' | 'sims'>> => {
  switch (scope.kind) {
    case 'manual': {
      const sims = await requireOwnSims(tx, orderer.org.id, scope.iccids);
      return { scope: { kind: 'manual', list_id: draftListId }, sims };
    }
    case 'uploaded': {
      const { file } = scope;
      if ('list_id' in file) return { scope: await requireOwnList(tx, orderer, file), sims: null };
      const { sims } = await readValidatedRows(tx, orderer, { file, kind: 'sims', at });
      return { scope: { kind: 'uploaded', list_id: draftListId }, sims: sims.map(({ simId }) => simId) };
    }
    default:
      return { scope, sims: null };
  }
};

/** @throws Failure CB-05-0006 for a list that does not belong to the organisation */
const requireOwnList = async (
  tx: Sql,
  { org }: Orderer,
  file: { list_id: string },
): Promise<Extract<Scope, { list_id: string }>> => {
  const scope = await resolveListScope(tx, org, { kind: 'uploaded', file });
  return 'list_id' in scope ? scope : fail('CB-05-0006');
};
