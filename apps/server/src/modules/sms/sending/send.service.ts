import { limits } from '@simcube/contract';
import type { SimSelection } from '@simcube/contract/sim';
import type { SmsSent } from '@simcube/contract/sms';
import type pg from 'pg';
import { dashboardDays } from '../../../platform/clock/business-day.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { emitMany } from '../../../platform/outbox/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { requirePermission } from '../../org/index.ts';
import {
  lockAllowedSims,
  messageRecipients,
  type Orderer,
  type Ordering,
  type SimOrder,
  scopedTo,
} from '../../sim/index.ts';
import { listBusy } from '../../task/index.ts';
import { findMessage } from '../messages/message.views.ts';
import { type InsertedMessage, insertMessages } from '../messages/messages.queries.ts';
import { countDays } from '../quota/quota.queries.ts';
import { readQuota, spendQuota } from '../quota/quota.service.ts';
import { findService } from '../services/services.views.ts';
import { messagesPerFact, smsChanged } from '../sms.events.ts';
import { findSmsFacts } from './facts.views.ts';
import { type SendParameters, type SmsFacts, sendRule } from './send.rules.ts';
import { measureText } from './text.rules.ts';

export interface SendingOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
  /** Creates the tasks for messages to many SIMs. */
  ordering: Ordering;
}

/** A SIM that receives a message. */
export interface Recipient {
  simId: number;
  iccid: string;
  msisdn: string;
}

export interface Outgoing {
  orgId: number;
  content: string;
  at: Date;
  task: string | null;
  sentBy: string | null;
  isScheduled: boolean;
}

/**
 * Accepts a text to SIMs in the caller's transaction, in the given order, as far as the quota allows. After the
 * commit the messages are sent, even if a process ends.
 * @returns the accepted messages; those of the last SIMs are missing if the quota does not suffice
 * @throws Failure CB-04-0001
 */
export const acceptMessages = async (
  tx: Sql,
  outgoing: Outgoing,
  recipients: readonly Recipient[],
): Promise<InsertedMessage[]> => {
  const { orgId, content, at } = outgoing;
  const service = await findService(tx, orgId);
  if (!service.canSend) fail('CB-04-0001');
  const text = measureText(content);
  const requested = recipients.length;
  const { messages, orgIds } = await spendQuota(tx, { orgId, parts: text.parts, requested, at });
  const accepted = recipients.slice(0, messages);
  const day = dashboardDays.dayOf(at);
  if (messages > 0)
    await countDays(tx, [{ orgId, day, mt: messages, mtParts: messages * text.parts, mo: 0 }]);
  const made = await insertMessages(
    tx,
    { ...outgoing, ...text, sender: service.sender, chargedOrgIds: orgIds },
    accepted,
  );
  for (let from = 0; from < accepted.length; from += messagesPerFact) {
    const sims = accepted.slice(from, from + messagesPerFact).map(({ simId, iccid }) => ({ simId, iccid }));
    await emitMany(tx, smsChanged, [{ orgId, payload: { sims, acceptedAt: at.toISOString() } }]);
  }
  return made;
};

export interface SendOrder {
  selection: SimSelection;
  content: string;
  preview: boolean;
  preview_digest?: string | undefined;
}

export const createSending = (options: SendingOptions) => {
  const { pool, db, clock, ordering } = options;

  const orderOf = ({
    selection,
    content,
    preview_digest: previewDigest,
  }: SendOrder): SimOrder<SendParameters, SmsFacts> => {
    if ('iccids' in selection && selection.iccids.length > limits.sms.iccids)
      fail('CB-01-0002', { values: { max: limits.sms.iccids } });
    return {
      rule: sendRule,
      parameters: { content },
      remark: null,
      selected: selection,
      items: messageRecipients,
      extraFacts: findSmsFacts,
      previewDigest,
      auditDetails: { characters: content.length, parts: measureText(content).parts },
    };
  };

  const previewOrder = async (orderer: Orderer, order: SendOrder): Promise<SmsSent> => {
    const preview = await ordering.preview(orderer, orderOf(order));
    const text = measureText(order.content);
    const { remaining } = await readQuota(pool, orderer.org.id, clock.now());
    const measure = { ...text, total_parts: text.parts * preview.changing, remaining };
    return { preview, task: null, measure, message: null };
  };

  /** Refused as a whole if the current quota can't suffice; concurrent senders may still use it up. */
  const createTask = async (orderer: Orderer, order: SendOrder): Promise<SmsSent> => {
    const { preview, measure } = await previewOrder(orderer, order);
    const { canSend } = await findService(pool, orderer.org.id);
    if (!canSend) fail('CB-04-0001');
    const isShort = measure?.remaining != null && measure.remaining < measure.total_parts;
    if (preview && preview.changing > 0 && isShort) fail('CB-04-0002');
    const task = await ordering.accept(orderer, orderOf(order));
    return { preview: null, task, measure: null, message: null };
  };

  const sendToOne = (orderer: Orderer, iccid: string, content: string): Promise<InsertedMessage> =>
    inTransaction(pool, async (tx) => {
      const orgId = orderer.org.id;
      const { id: simId } = await scopedTo(orderer.org).sim(tx, iccid);
      await requirePermission(tx, { orgId, userId: orderer.userId, ...sendRule.access });
      const at = clock.now();
      const items = [{ position: 0, ref: simId, label: iccid, input: null }];
      const work = { items, order: { orgId }, parameters: {}, now: at, extraFacts: findSmsFacts };
      const { refusals } = await lockAllowedSims(tx, sendRule, work);
      const busy = await listBusy(tx, { kind: messageRecipients, refs: [simId] });
      const code = refusals.get(0) ?? (busy.has(simId) ? messageRecipients.busy : undefined);
      if (code) fail(code);
      const { msisdn } = (await findSmsFacts(tx, [simId])).get(simId) ?? fail('CB-01-0001');
      const outgoing = { orgId, content, at, task: null, sentBy: orderer.actor.name, isScheduled: false };
      const [message] = await acceptMessages(tx, outgoing, [{ simId, iccid, msisdn: msisdn ?? '' }]);
      if (!message) return fail('CB-04-0002');
      await recordAudit(tx, {
        orgId,
        actor: orderer.actor,
        at,
        subject: { kind: 'sim', id: iccid, name: iccid },
        after: { characters: content.length, parts: measureText(content).parts },
      });
      return message;
    });

  return {
    /** Sends to one named SIM immediately, to several as a task; or reports what would be done. */
    send: async (orderer: Orderer, order: SendOrder): Promise<SmsSent> => {
      if (order.preview) return previewOrder(orderer, order);
      const { selection, content } = order;
      const [only, ...others] = 'iccids' in selection ? [...new Set(selection.iccids)] : [];
      if (only === undefined || others.length > 0) return createTask(orderer, order);
      const sent = await sendToOne(orderer, only, content);
      const message = (await findMessage(db, { orgId: orderer.org.id, ...sent })) ?? fail('CB-01-0001');
      return { preview: null, task: null, measure: null, message };
    },
  };
};
