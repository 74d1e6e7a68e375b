import type { ErrorCode } from '@simcube/contract';
import type { RuleAction } from '@simcube/contract/autoflow';
import { hourMs } from '@simcube/contract/time';
import type { Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { hasTarget, notifyRecipients, notifyTargetsOfEach, ownersOf } from '../../notify/index.ts';
import { isNotification } from '../engine/actions.rules.ts';
import { findTemplate, type TemplateTexts } from '../templates/templates.queries.ts';
import { comparisonsOf, firedFields, formatTime } from './message.rules.ts';
import {
  type ActingRule,
  endActions,
  listFiredSims,
  recordFailureNotified,
  type WaitingFiring,
} from './perform-action.queries.ts';
import { fillTexts } from './template-texts.rules.ts';

interface Message {
  rule: ActingRule;
  position: number;
  firings: readonly WaitingFiring[];
  now: Date;
}

type FiringGroup = readonly [WaitingFiring, ...WaitingFiring[]];

/** Groups firings into messages: one each, unless the rule gathers them. */
const groupFirings = ({ rule, firings: [first, ...others] }: Message): FiringGroup[] => {
  if (!first) return [];
  if (rule.definition.group_minutes !== null) return [[first, ...others]];
  return [first, ...others].map((firing) => [firing]);
};

/**
 * Passes the firings to the action's target. Deliveries have their own retries.
 * @throws Failure CB-09-0017 if the target has been deleted
 */
export const sendNotification = async (tx: Sql, message: Message): Promise<void> => {
  const { rule, position, now } = message;
  const action = rule.definition.actions[position];
  if (!action || !isNotification(action.kind) || !('group_id' in action)) return;
  const targetId = Number(action.group_id);
  if (!(await hasTarget(tx, { orgId: rule.orgId, id: targetId }))) fail('CB-09-0017');
  const messages = groupFirings(message);
  const textsOf = await createTextFiller(tx, message, action);
  const each = messages.map((firings) => ({
    ...fieldsOf(rule, firings),
    ...(action.kind !== 'api' && { comparisons: comparisonsOf(firings[0].measured) }),
    ...textsOf(firings),
  }));
  const notifications = { orgId: rule.orgId, kind: 'autoflow.fired', each, at: now } as const;
  const ids = await notifyTargetsOfEach(tx, notifications, [targetId]);
  const ends = messages.flatMap((firings, index) =>
    firings.map(({ id }) => ({ firingId: id, position, code: null, notificationId: ids[index] ?? null })),
  );
  await endActions(tx, ends, now);
};

/** The texts of the organisation's own template for firings; empty without a template. */
const createTextFiller = async (
  tx: Sql,
  { rule, firings }: Message,
  action: RuleAction,
): Promise<(of: FiringGroup) => { texts?: TemplateTexts }> => {
  const id = 'template_id' in action ? action.template_id : null;
  const { orgId } = rule;
  const template = id === null ? undefined : await findTemplate(tx, { orgId, id: Number(id) });
  if (!template) return () => ({});
  const sims = await listFiredSims(tx, { orgId, simIds: firings.map(({ simId }) => simId) });
  return (of) => ({
    texts: fillTexts(template.texts, {
      rule: rule.name,
      organisation: template.organisation,
      trigger: rule.definition.trigger.kind,
      time: formatTime(of[0].happenedAt),
      iccids: of.map(({ iccid }) => iccid),
      measured: of[0].measured,
      sims: of.flatMap(({ simId }) => sims.get(simId) ?? []),
    }),
  });
};

const fieldsOf = ({ id, name, definition }: ActingRule, [first, ...others]: FiringGroup) => ({
  id: String(id),
  ...firedFields({ id: String(id), name, trigger: definition.trigger.kind }, [
    toFired(first),
    ...others.map(toFired),
  ]),
});

const toFired = ({ id, iccid, happenedAt, measured }: WaitingFiring) => ({
  runId: String(id),
  iccid,
  happenedAt,
  measured,
});

/** If an action fails for many SIMs, this is how often it is reported; the list and the run history show every failure. */
const failureNoticeIntervalMs = hourMs;

/**
 * Notifies the owner of the rule, or else those who may change rules, that an action failed permanently: of the first
 * failure, and of the next one an hour later or after the rule was changed.
 */
export const notifyFailure = async (
  tx: Sql,
  { rule, at, sims, code, now }: { rule: ActingRule; at: Date; sims: number; code: ErrorCode; now: Date },
): Promise<void> => {
  const { orgId, ownerId, name } = rule;
  const since = new Date(now.getTime() - failureNoticeIntervalMs);
  if (!(await recordFailureNotified(tx, { ruleId: rule.id, now, since }))) return;
  // Another person has to save the rule if its owner may no longer do what it does.
  const mayAct = code !== 'CB-00-0403' && code !== 'CB-05-0001';
  const fields = { id: String(rule.id), rule: name, time: formatTime(at), sims, code };
  const notification = { orgId, kind: 'autoflow.failed', fields, at: now } as const;
  await notifyRecipients(tx, notification, await ownersOf(tx, { orgId, ownerId: mayAct ? ownerId : null }));
};
