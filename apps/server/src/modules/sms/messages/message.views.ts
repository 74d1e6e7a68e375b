import type { Sms } from '@simcube/contract/sms';
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/index.ts';
import { type MessageColumns, messageColumns, showMessages } from './message-rows.views.ts';

/** One message, as lists show it. */
export const findMessage = async (
  db: Db,
  { orgId, sim_id, at, id }: { orgId: number; sim_id: number; at: Date; id: number },
): Promise<Sms | undefined> => {
  const { rows } = await sql<MessageColumns>`
    select ${messageColumns} from sms_messages
    where sim_id = ${sim_id} and at = ${at} and id = ${id} and org_id = ${orgId}`.execute(db);
  return (await showMessages(db, orgId, rows))[0];
};
