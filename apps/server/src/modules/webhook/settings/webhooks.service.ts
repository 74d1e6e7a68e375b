import { randomUUID } from 'node:crypto';
import { type Language, limits, type PermissionMap } from '@simcube/contract';
import { hourMs } from '@simcube/contract/time';
import {
  type Webhook,
  type WebhookEventType,
  type WebhookStatus,
  webhookEventTypes,
  webhookTestType,
} from '@simcube/contract/webhook';
import type pg from 'pg';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { inRepeatableTransaction, inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import type { Vault } from '../../../platform/secrets/index.ts';
import { type AuditChange, recordAudit } from '../../audit/index.ts';
import {
  countTests,
  expediteDeliveries,
  findWaitingKind,
  giveUpEvents,
  giveUpLane,
  insertWebhook,
  issueSecret,
  type LockedWebhook,
  lockWebhook,
  queueEvents,
  requireSendableUrl,
  resumeTarget,
  setWebhookUrl,
} from '../../notify/index.ts';
import { requirePermission } from '../../org/index.ts';
import { defaultEventTypes, maySee, withheldTypes } from '../webhook.rules.ts';
import { insertSettings, setEnabled, setTypes } from './webhooks.queries.ts';
import { findWebhook, toWebhook } from './webhooks.views.ts';

export interface WebhookCaller {
  orgId: number;
  orgCode: string;
  accountId: string;
  language: Language;
  /** Permissions of the call: a key may have fewer than its account. */
  permissions: PermissionMap;
  actor: Actor;
}

export interface WebhookOptions {
  pool: pg.Pool;
  clock: Clock;
  vault: Vault;
  /** Private networks that requests may reach. */
  outboundNetworks?: readonly string[] | undefined;
}

/** A webhook with the permissions of its account. */
interface OwnWebhook extends LockedWebhook {
  permissions: PermissionMap;
}

const manage = { key: 'cube-developer-key', action: 'write' } as const;

/** A webhook is named by its host, also when the product pauses it; without a URL, by its account. */
export const recordChange = async (
  tx: Sql,
  { orgId, accountId, actor }: WebhookCaller,
  { at, ...change }: AuditChange & { at: Date },
): Promise<void> => {
  const url = (await lockWebhook(tx, { orgId, accountId }))?.url ?? null;
  const name = url === null ? actor.name : new URL(url).host;
  await recordAudit(tx, { orgId, actor, at, subject: { kind: 'webhook', id: accountId, name }, ...change });
};

/** The caller's webhook, locked. @throws Failure CB-08-0030 before a URL was set */
export const lockOwnWebhook = async (
  tx: Sql,
  caller: WebhookCaller,
): Promise<OwnWebhook & { url: string }> => {
  const { orgId, accountId } = caller;
  const { permissions } = await requirePermission(tx, { orgId, userId: accountId, ...manage });
  const webhook = await lockWebhook(tx, { orgId, accountId });
  return webhook && webhook.url !== null ? { ...webhook, url: webhook.url, permissions } : fail('CB-08-0030');
};

/** Gives up waiting events that an account may no longer read, in the transaction that changes its permissions. */
export const withholdEvents = async (
  tx: Sql,
  { permissions, ...account }: { orgId: number; accountId: string; permissions: PermissionMap },
): Promise<void> => {
  const kinds = withheldTypes(permissions);
  if (kinds.length > 0) await giveUpEvents(tx, { ...account, kinds });
};

/** One's own notification key and webhook: every change locks it. */
export const createWebhooks = ({ pool, clock, vault, outboundNetworks }: WebhookOptions) => {
  const readWebhook = async (sql: Sql, { orgId, accountId, permissions }: WebhookCaller): Promise<Webhook> =>
    toWebhook(accountId, await findWebhook(sql, { orgId, accountId }, clock.now()), {
      vault,
      defaultTypes: defaultEventTypes(permissions),
    });

  /** Creates the webhook if it does not exist: switched off, without a key or URL, with the default types. */
  const ensureWebhook = async (tx: Sql, caller: WebhookCaller): Promise<OwnWebhook> => {
    const { orgId, accountId, language } = caller;
    const { permissions } = await requirePermission(tx, { orgId, userId: accountId, ...manage });
    await insertWebhook(tx, { orgId, accountId, language, at: clock.now() });
    const webhook = (await lockWebhook(tx, { orgId, accountId })) ?? fail('CB-00-0404');
    if (await insertSettings(tx, webhook.id))
      await setTypes(tx, webhook.id, defaultEventTypes(caller.permissions));
    return { ...webhook, permissions };
  };

  /** Results of deliveries, written concurrently, lock deliveries and lanes before the webhook. */
  const changeWebhook = (
    caller: WebhookCaller,
    change: (tx: Sql, webhook: OwnWebhook, previous: Webhook) => Promise<AuditChange | undefined>,
  ): Promise<Webhook> =>
    inRepeatableTransaction(pool, async (tx) => {
      const webhook = await ensureWebhook(tx, caller);
      const changed = await change(tx, webhook, await readWebhook(tx, caller));
      if (changed) await recordChange(tx, caller, { at: clock.now(), ...changed });
      return readWebhook(tx, caller);
    });

  const issueKey = (tx: Sql, targetId: number) => issueSecret(tx, { targetId, vault, at: clock.now() });

  return {
    read: (caller: WebhookCaller): Promise<Webhook> => readWebhook(pool, caller),

    /** The previous key also signs for a day. */
    renewKey: (caller: WebhookCaller): Promise<Webhook> =>
      changeWebhook(caller, async (tx, { id }) => {
        await issueKey(tx, id);
        return { before: null, after: null };
      }),

    /**
     * Switched on or off, it is no longer paused and no longer counts as failing: a paused one could not be tested.
     * When it is switched off, waiting deliveries are given up.
     * @throws Failure CB-08-0030 before a URL was set
     */
    setStatus: (caller: WebhookCaller, status: WebhookStatus): Promise<Webhook> =>
      changeWebhook(caller, async (tx, { id, url }, previous) => {
        if (status === 'enabled' && url === null) fail('CB-08-0030');
        if (status === previous.status) return undefined;
        await setEnabled(tx, id, status === 'enabled');
        if (status === 'disabled') await giveUpLane(tx, id, 'disabled');
        await resumeTarget(tx, id);
        return { before: { status: previous.status }, after: { status } };
      }),

    /**
     * A new address is a new start: it no longer counts as failing.
     * @throws Failure CB-00-0400 for a URL inside the own network, CB-08-0034 for a key that may not read a chosen
     * type, or one of which an event waits: it could redirect events that it may not see
     */
    setUrl: (caller: WebhookCaller, url: string): Promise<Webhook> =>
      changeWebhook(caller, async (tx, { id, permissions }, previous) => {
        if (previous.key_created_at === null) await issueKey(tx, id);
        if (url === previous.url) return undefined;
        requireSendableUrl(url, outboundNetworks);
        const kinds = webhookEventTypes.filter(
          (type) => maySee(permissions, type) && !maySee(caller.permissions, type),
        );
        const hidden =
          previous.event_types.find((type) => kinds.includes(type)) ??
          (kinds.length > 0 && (await findWaitingKind(tx, { ...caller, kinds })));
        if (hidden) fail('CB-08-0034', { values: { type: hidden } });
        await setWebhookUrl(tx, id, url);
        if (previous.url !== null) {
          await resumeTarget(tx, id);
          await expediteDeliveries(tx, id, clock.now());
        }
        return { before: { url: previous.url }, after: { url } };
      }),

    /**
     * Waiting events of a type that is removed are given up.
     * @throws Failure CB-08-0034 for a type that the account has no permission for
     */
    setEventTypes: (caller: WebhookCaller, types: readonly WebhookEventType[]): Promise<Webhook> =>
      changeWebhook(caller, async (tx, { id }, previous) => {
        const added = types.filter((type) => !previous.event_types.includes(type));
        const refused = added.find((type) => !maySee(caller.permissions, type));
        if (refused) fail('CB-08-0034', { values: { type: refused } });
        if (added.length === 0 && previous.event_types.every((type) => types.includes(type)))
          return undefined;
        await setTypes(tx, id, types);
        const removed = previous.event_types.filter((type) => !types.includes(type));
        if (removed.length > 0) await giveUpEvents(tx, { ...caller, kinds: removed });
        const after = await readWebhook(tx, caller);
        return { before: { event_types: previous.event_types }, after: { event_types: after.event_types } };
      }),

    /**
     * Resets it as if it had never failed; waiting deliveries are attempted immediately.
     * @throws Failure CB-08-0030 before a URL was set
     */
    resume: (caller: WebhookCaller): Promise<Webhook> =>
      changeWebhook(caller, async (tx, { id, url }, previous) => {
        if (url === null) fail('CB-08-0030');
        await resumeTarget(tx, id);
        await expediteDeliveries(tx, id, clock.now());
        const before = { state: previous.state, paused_for: previous.paused_for };
        return previous.state === 'active'
          ? undefined
          : { before, after: { state: 'active', paused_for: null } };
      }),

    /**
     * Sends a test, delivered as all events, also while the webhook is off.
     * @throws Failure CB-08-0030 before a URL was set, CB-08-0032 while it is paused, CB-09-0029 beyond the
     * limit of an hour
     */
    test: (caller: WebhookCaller): Promise<{ event_id: string }> =>
      inTransaction(pool, async (tx) => {
        const { id: targetId, url, pausedFor } = await lockOwnWebhook(tx, caller);
        if (pausedFor !== null) fail('CB-08-0032');
        const at = clock.now();
        const max = limits.notifications.tests;
        const tests = await countTests(tx, {
          targetId,
          since: new Date(at.getTime() - hourMs),
          kind: webhookTestType,
        });
        if (tests >= max) fail('CB-09-0029', { values: { max } });
        const id = randomUUID();
        const event = { id, type: webhookTestType, time: at.toISOString(), sequence: 0 };
        const data = { message: 'It works' };
        const body = JSON.stringify({ ...event, organisation: caller.orgCode, data });
        const to = [{ targetId, url, isPaused: false }];
        await queueEvents(
          tx,
          [{ id, orgId: caller.orgId, type: webhookTestType, about: null, body, to }],
          at,
        );
        await recordChange(tx, caller, { at, before: null, after: null });
        return { event_id: id };
      }),
  };
};
