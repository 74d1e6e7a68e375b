import type { SmsService, smsServiceBodySchema } from '@simcube/contract/sms';
import type pg from 'pg';
import type { z } from 'zod';
import type { Actor } from '../../../platform/access/index.ts';
import type { Clock } from '../../../platform/clock/index.ts';
import { type Db, inTransaction } from '../../../platform/db/index.ts';
import { fail } from '../../../platform/http/index.ts';
import { readPage } from '../../../platform/lists/index.ts';
import { recordAudit } from '../../audit/index.ts';
import { stillAllowed } from '../../org/index.ts';
import { lockBelow, saveService } from './services.queries.ts';
import { findService, hasConnection, serviceList } from './services.views.ts';

export interface ServicesOptions {
  pool: pg.Pool;
  db: Db;
  clock: Clock;
}

interface Caller {
  org: { id: number };
  userId: string;
  actor: Actor;
}

/** What organisations may send and receive: set by the organisation above, so that none gives itself more. */
export const createServices = ({ pool, db, clock }: ServicesOptions) => {
  /** @throws Failure CB-07-0029 for one that is neither the caller's own nor right below it */
  const get = async (org: { id: number }, code: string): Promise<SmsService> => {
    const { data } = await readPage(db, serviceList, {
      ...{ scope: { orgId: org.id }, now: clock.now(), filter: { code } },
      page: { page_no: 1, page_size: 1 },
    });
    return data[0] ?? fail('CB-07-0029');
  };

  return {
    get,
    hasConfig: async (org: { id: number }, code: string): Promise<boolean> =>
      (await get(org, code)).can_send && (await hasConnection(pool)),
    /** @throws Failure CB-07-0029, CB-07-0134 for the own organisation */
    update: async (
      { org, userId, actor }: Caller,
      code: string,
      wanted: z.output<typeof smsServiceBodySchema>,
    ): Promise<SmsService> => {
      if (!(await get(org, code)).editable) fail('CB-07-0134');
      await inTransaction(pool, async (tx) => {
        await stillAllowed(tx, {
          orgId: org.id,
          userId,
          key: 'account',
          action: 'write',
          refused: 'CB-07-0134',
        });
        const orgId = (await lockBelow(tx, { orgId: org.id, code })) ?? fail('CB-07-0029');
        const before = await findService(tx, orgId);
        const after = { canSend: wanted.can_send, canReceive: wanted.can_receive, sender: wanted.sender };
        await saveService(tx, { orgId, ...after });
        await recordAudit(tx, {
          orgId,
          actor,
          at: clock.now(),
          subject: { kind: 'organisation', id: String(orgId), name: code },
          before: { ...before },
          after,
        });
      });
      return get(org, code);
    },
  };
};
