import type { ErrorCode } from '@simcube/contract';
import type { Sql } from '../../../platform/db/index.ts';
import { spendQuota } from '../quota/quota.service.ts';
import { findService, hasConnection } from '../services/services.views.ts';
import { sendRule } from './send.rules.ts';
import { measureText } from './text.rules.ts';
import { insertText, type NewText } from './texts.queries.ts';
import { findSimOfPhone } from './texts.views.ts';

export type TextRefusal = Extract<ErrorCode, 'CB-01-0012' | 'CB-04-0001' | 'CB-04-0002' | 'CB-09-0028'>;

/** Why an organisation can't send texts to phones at all; undefined if it can. */
export const whyTextsRefused = async (
  tx: Sql,
  orgId: number,
): Promise<Extract<TextRefusal, 'CB-04-0001' | 'CB-09-0028'> | undefined> => {
  if (!(await hasConnection(tx))) return 'CB-09-0028';
  return (await findService(tx, orgId)).canSend ? undefined : 'CB-04-0001';
};

/**
 * Accepts a text to a phone in the caller's transaction, and takes it off the quota like any message. The phone may
 * have a SIM of the organisation, under the conditions of other messages; one of another organisation is refused.
 * After the commit it is sent, once as far as SMPP allows. The result is recorded as `sms.text-settled`.
 * @returns why it was not accepted
 */
export const acceptText = async (
  tx: Sql,
  text: Pick<NewText, 'orgId' | 'phone' | 'content' | 'reference' | 'at'>,
): Promise<TextRefusal | undefined> => {
  const { orgId, at } = text;
  const refusal = await whyTextsRefused(tx, orgId);
  if (refusal) return refusal;
  if (await isForbiddenSim(tx, text)) return 'CB-01-0012';
  const { parts } = measureText(text.content);
  const { messages, orgIds } = await spendQuota(tx, { orgId, parts, requested: 1, at });
  if (messages === 0) return 'CB-04-0002';
  const { sender } = await findService(tx, orgId);
  await insertText(tx, { ...text, parts, sender, chargedOrgIds: orgIds });
  return undefined;
};

/** Whether a phone has a SIM that the organisation can't send messages to: its number must not be a way around that. */
const isForbiddenSim = async (
  tx: Sql,
  { orgId, phone }: { orgId: number; phone: string },
): Promise<boolean> => {
  const found = await findSimOfPhone(tx, phone);
  if (!found) return false;
  const { sim, facts } = found;
  return sim.orgId !== orgId || sendRule.refuse(sim, { parameters: {}, extraFacts: facts }) !== undefined;
};
