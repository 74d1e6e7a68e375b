import { languages } from '@simcube/contract';
import type {
  Measured,
  NewTrigger,
  TryBody,
  TryResponse,
  TrySendBody,
  TrySendResponse,
} from '@simcube/contract/autoflow';
import type pg from 'pg';
import type { Clock } from '../../../platform/clock/index.ts';
import { inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { emailOf, lockTargetForTest, notifyTargets, shortTextOf } from '../../notify/index.ts';
import type { Orderer } from '../../sim/index.ts';
import { listWatchedSims } from '../../usage/index.ts';
import { countersOf, measuredOf } from '../engine/usage.rules.ts';
import { readSnapshots } from '../engine/usage.service.ts';
import { findTemplate } from '../templates/templates.queries.ts';
import { requireWriteAccess } from '../write-access.ts';
import { comparisonsOf, firedFields, formatTime } from './message.rules.ts';
import { findTryOutSim } from './perform-action.queries.ts';
import { fillTexts } from './template-texts.rules.ts';

export interface TryOutOptions {
  pool: pg.Pool;
  clock: Clock;
}

const unmeasured: Measured = { value: null, threshold: null, unit: null, since: null };

/** The SIM's figure and the threshold as the engine compares them, for triggers on usage; others have no figure before they fire. */
const measureNow = async (
  sql: Sql,
  { orgId, at }: { orgId: number; at: Date },
  { trigger, simId }: { trigger: NewTrigger; simId: number },
): Promise<Measured> => {
  if (trigger.kind !== 'data-usage' && trigger.kind !== 'unusual-usage') return unmeasured;
  const sims = new Map((await listWatchedSims(sql, { orgId, simIds: [simId] })).map((sim) => [simId, sim]));
  const instants = [{ simId, at: at.getTime() }];
  const [snapshot] = await readSnapshots(sql, { orgId, sims, instants, rules: [{ trigger }] });
  const counter = snapshot && countersOf(snapshot)({ trigger });
  return counter ? measuredOf({ trigger }, counter) : unmeasured;
};

/** The fields of the notification that the rule would send for the SIM. @throws Failure CB-01-0012, CB-05-0008 */
const tryOutFields = async (sql: Sql, { orgId, at }: { orgId: number; at: Date }, body: TryBody) => {
  const { name: rule, event: trigger, iccid, template_id: templateId } = body;
  const found = (await findTryOutSim(sql, { orgId, iccid })) ?? fail('CB-01-0012');
  const texts =
    body.texts ??
    (templateId === null
      ? undefined
      : ((await findTemplate(sql, { orgId, id: Number(templateId) })) ?? fail('CB-05-0008')).texts);
  const measured = await measureNow(sql, { orgId, at }, { trigger, simId: found.simId });
  const about = {
    rule,
    organisation: found.organisation,
    trigger: trigger.kind,
    time: formatTime(at),
    measured,
  };
  return {
    fields: firedFields({ id: null, name: rule, trigger: trigger.kind }, [
      { runId: null, iccid, happenedAt: at, measured },
    ]),
    // Text for people; programs only receive the fields.
    own: {
      comparisons: comparisonsOf(measured),
      ...(texts && { texts: fillTexts(texts, { ...about, iccids: [iccid], sims: [found.sim] }) }),
    },
  };
};

/** The notification that an unsaved rule would send for a SIM. @throws Failure CB-01-0012, CB-05-0008 */
export const tryBody = async (
  { pool, clock }: TryOutOptions,
  orgId: number,
  body: TryBody,
): Promise<TryResponse> => {
  const at = clock.now();
  const { fields, own } = await tryOutFields(pool, { orgId, at }, body);
  const content = { ...fields, ...own };
  return {
    messages: languages.map((language) => {
      const { subject, body: text } = emailOf('autoflow.tried', content, language).content;
      return { language, subject, text, sms: shortTextOf('autoflow.tried', content, language) };
    }),
    request: { type: 'autoflow.tried', timestamp: at.toISOString(), data: fields },
  };
};

/**
 * Sends it to a target once, through the usual delivery of notifications; it is not a firing.
 * @throws Failure CB-01-0012, CB-05-0001, CB-05-0008, and those of target tests
 */
export const trySend = (
  { pool, clock }: TryOutOptions,
  orderer: Orderer,
  { group_id: groupId, ...body }: TrySendBody,
): Promise<TrySendResponse> =>
  inTransaction(pool, async (tx) => {
    await requireWriteAccess(tx, orderer);
    const { org, actor } = orderer;
    const at = clock.now();
    const targetId = Number(groupId);
    const target = await lockTargetForTest(tx, { orgId: org.id, targetId, kind: 'autoflow.tried', at });
    const { fields, own } = await tryOutFields(tx, { orgId: org.id, at }, body);
    const texts = target.kind === 'api' ? {} : own;
    const notification = {
      orgId: org.id,
      kind: 'autoflow.tried',
      fields: { ...fields, ...texts },
      at,
    } as const;
    const id = await notifyTargets(tx, notification, [targetId]);
    const subject = { kind: 'group', id: groupId, name: target.name } as const;
    await recordAudit(tx, { orgId: org.id, actor, at, subject, before: null, after: { rule: body.name } });
    return { notification_id: id, channel: target.kind };
  });
