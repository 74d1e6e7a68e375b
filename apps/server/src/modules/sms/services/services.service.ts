import { isDeepStrictEqual } from 'node:util';
import type { SmsService, smsServiceBodySchema } from '@simcube/contract/sms';
import type pg from 'pg';
import type { z } from 'zod';
import type { Actor, OrgContext } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction, type Sql } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { readPage } from '../../../platform/lists/index.ts';
import { changedFields, recordAudit } from '../../audit/index.ts';
import { requirePermission } from '../../org/index.ts';
import type { Service } from '../sms.rules.ts';
import { lockOrganisation, saveService } from './services.queries.ts';
import { findService, hasConnection, scopeOf, serviceList } from './services.views.ts';

export interface ServicesOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
  /** Locks a notification target of an organisation until the transaction ends. */
  lockTarget: (
    tx: Sql,
    target: { orgId: number; id: number },
  ) => Promise<{ kind: 'email' | 'sms' | 'api'; name: string } | undefined>;
}

interface Caller {
  org: OrgContext;
  userId: string;
  actor: Actor;
}

/**
 * What organisations may send and receive. The organisation above decides, so that none can extend its own
 * permissions. Each organisation decides where its messages are forwarded.
 */
export const createServices = ({ pool, db, clock, lockTarget }: ServicesOptions) => {
  /** @throws Failure CB-07-0029 unless it is the caller's own organisation or, for its admins, directly below it */
  const get = async (org: OrgContext, code: string): Promise<SmsService> => {
    const { data } = await readPage(db, serviceList, {
      scope: scopeOf(org),
      now: clock.now(),
      filter: { code },
      page: { page_no: 1, page_size: 1 },
    });
    return data[0] ?? fail('CB-07-0029');
  };

  return {
    get,
    hasConfig: async (org: OrgContext, code: string): Promise<boolean> =>
      (await get(org, code)).can_send && (await hasConnection(pool)),
    /**
     * @throws Failure CB-07-0029, CB-07-0134 for settings that the caller may not change, CB-09-0017 for a target
     * that does not exist or is a phone
     */
    update: async (
      { org, userId, actor }: Caller,
      code: string,
      changes: z.output<typeof smsServiceBodySchema>,
    ): Promise<SmsService> => {
      const { editable } = await get(org, code);
      const { forward_to: forwardTo, ...sending } = changes;
      const isForbidden = editable ? forwardTo !== undefined : Object.keys(sending).length > 0;
      if (isForbidden) fail('CB-07-0134');
      await inTransaction(pool, async (tx) => {
        await requirePermission(tx, {
          orgId: org.id,
          userId,
          key: 'account',
          action: 'write',
          refused: 'CB-07-0134',
        });
        const orgId = (await lockOrganisation(tx, { orgId: org.id, code })) ?? fail('CB-07-0029');
        const before = await findService(tx, orgId);
        const targets = forwardTo && [...new Set(forwardTo.map(Number))];
        for (const id of targets ?? []) {
          const target = await lockTarget(tx, { orgId, id });
          if (!target || target.kind === 'sms') fail('CB-09-0017');
        }
        const after = {
          canSend: changes.can_send ?? before.canSend,
          canReceive: changes.can_receive ?? before.canReceive,
          sender: changes.sender === undefined ? before.sender : changes.sender,
          forwardTo: targets ?? before.forwardTo,
        };
        if (isDeepStrictEqual(before, after)) return;
        await saveService(tx, { orgId, ...after });
        const named = (service: Service) => auditedSettings(tx, { lockTarget, orgId, service });
        await recordAudit(tx, {
          orgId,
          actor,
          at: clock.now(),
          subject: { kind: 'organisation', id: String(orgId), name: code },
          ...changedFields<Record<string, unknown>>(await named(before), await named(after)),
        });
      });
      return get(org, code);
    },
  };
};

/** The settings for the audit trail: targets by name. */
const auditedSettings = async (
  tx: Sql,
  { lockTarget, orgId, service }: Pick<ServicesOptions, 'lockTarget'> & { orgId: number; service: Service },
): Promise<Record<string, unknown>> => {
  const names: string[] = [];
  for (const id of service.forwardTo) names.push((await lockTarget(tx, { orgId, id }))?.name ?? String(id));
  const { canSend, canReceive, sender } = service;
  return { can_send: canSend, can_receive: canReceive, sender, forward_to: names };
};
