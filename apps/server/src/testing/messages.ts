import type pg from 'pg';

/** Stores a message to a SIM and its reply, both delivered, as sending and receiving would. */
export const storeMessages = async (
  pool: pg.Pool,
  message: { simId: number; orgId: number; at: string; content: string },
): Promise<void> => {
  await pool.query(
    `with said as (
       insert into sms_contents (org_id, at, mobile_originated, content)
       select $2, $3, is_from, sms_search_text($4) from unnest(array[false, true]) as is_from),
     sent as (
       insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
       values ($1, $2, $3::timestamptz, $4, false, 2, '491500000000', 0, 1) returning at, id)
     insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts, reply_to_at, reply_to_id)
     select $1, $2, $3::timestamptz, $4, true, 5, '491500000000', 0, 1, at, id from sent`,
    [message.simId, message.orgId, message.at, message.content],
  );
};
