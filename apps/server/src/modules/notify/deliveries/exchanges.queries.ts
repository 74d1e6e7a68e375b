import type { Sql } from '../../../platform/db/index.ts';
import type { Exchange } from './stored-exchanges.ts';

interface AttemptWithExchange {
  delivery: { id: number; attempts: number };
  outcome: { exchange?: Exchange };
}

/** Stores the requests to webhooks and their responses, if any. */
export const insertExchanges = async (
  tx: Sql,
  attempts: readonly AttemptWithExchange[],
  at: Date,
): Promise<void> => {
  const exchanges = attempts.flatMap(({ delivery: { id, attempts: number }, outcome: { exchange } }) =>
    exchange ? [{ id, number, ...exchange }] : [],
  );
  if (exchanges.length === 0) return;
  await tx.query({
    name: 'delivery-exchanges-insert',
    text: `insert into delivery_exchanges (delivery_id, number, at, url, request_headers, response_headers,
             response_body, response_bytes, response_cut)
           select d.id, d.number, $9::timestamptz, d.url, d.request::jsonb, d.headers::jsonb, d.body, d.bytes, d.cut
           from unnest($1::bigint[], $2::int[], $3::text[], $4::text[], $5::text[], $6::text[], $7::int[], $8::bool[])
             as d (id, number, url, request, headers, body, bytes, cut)`,
    values: [
      exchanges.map(({ id }) => id),
      exchanges.map(({ number }) => number),
      exchanges.map(({ url }) => url),
      exchanges.map(({ requestHeaders }) => JSON.stringify(requestHeaders)),
      exchanges.map(({ response }) => response && JSON.stringify(response.headers)),
      exchanges.map(({ response }) => response?.body ?? null),
      exchanges.map(({ response }) => response?.bytes ?? null),
      exchanges.map(({ response }) => response?.isCut ?? null),
      at,
    ],
  });
};
