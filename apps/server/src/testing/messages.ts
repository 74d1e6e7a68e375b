import type pg from 'pg';

/** Stores a message to a SIM and one from it, both delivered, as those who send and receive would. */
export const storeMessages = async (
  pool: pg.Pool,
  message: { simId: number; orgId: number; at: string; content: string },
): Promise<void> => {
  await pool.query(
    `with said as (
       insert into sms_contents (org_id, at, mobile_originated, content)
       select $2, $3, is_from, sms_search_text($4) from unnest(array[false, true]) as is_from)
     insert into sms_messages (sim_id, org_id, at, content, mobile_originated, status, msisdn, encoding, parts)
     select $1, $2, $3::timestamptz, $4, is_from, case when is_from then 5 else 2 end, '491500000000', 0, 1
     from unnest(array[false, true]) as is_from`,
    [message.simId, message.orgId, message.at, message.content],
  );
};
