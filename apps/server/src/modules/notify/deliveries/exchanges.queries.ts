import type { Sql } from '../../../platform/db/index.ts';
import type { Exchange } from './kept-exchanges.ts';

interface Attempted {
  delivery: { id: number; attempts: number };
  outcome: { exchange?: Exchange };
}

/** Stores the requests to webhooks and their responses, if any. */
export const insertExchanges = async (tx: Sql, attempts: readonly Attempted[], at: Date): Promise<void> => {
  const kept = attempts.flatMap(({ delivery: { id, attempts: number }, outcome: { exchange } }) =>
    exchange ? [{ id, number, ...exchange }] : [],
  );
  if (kept.length === 0) return;
  await tx.query({
    name: 'delivery-exchanges-insert',
    text: `insert into delivery_exchanges (delivery_id, number, at, url, request_headers, response_headers,
             response_body, response_bytes, response_cut)
           select d.id, d.number, $9::timestamptz, d.url, d.request::jsonb, d.headers::jsonb, d.body, d.bytes, d.cut
           from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bool[])
             as d (id, number, url, request, headers, body, bytes, cut)`,
    values: [
      kept.map(({ id }) => id),
      kept.map(({ number }) => number),
      kept.map(({ url }) => url),
      kept.map(({ requestHeaders }) => JSON.stringify(requestHeaders)),
      kept.map(({ response }) => response && JSON.stringify(response.headers)),
      kept.map(({ response }) => response?.body ?? null),
      kept.map(({ response }) => response?.bytes ?? null),
      kept.map(({ response }) => response?.isCut ?? null),
      at,
    ],
  });
};
