import { limits } from '@simcube/contract';
import { expect, test } from 'vitest';
import { stubGateway, success } from '../../../testing/gateway.ts';
import { collectMembers } from './use-members.ts';

const gateway = stubGateway();
const sims = 'GET /data-pool/shared_pool/cube/dashboard/7/sims';
const iccidOf = (index: number) => `8934070000002${String(index).padStart(7, '0')}`;

interface Member {
  iccid: string;
  used: number;
}

/** Pages of two, most usage first unless sorted by ICCID; each begins after the last member of the one before. */
const pageAfter = (members: readonly Member[], sort: string | null, cursor: string | null) => {
  const sorted = members
    .map(({ iccid, used }) => ({
      iccid,
      key: sort === 'iccid' ? iccid : `${String(1e6 - used).padStart(7, '0')} ${iccid}`,
    }))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
  const rest = sorted.filter(({ key }) => cursor === null || key > cursor);
  return { page: rest.slice(0, 2), next: rest.length > 2 ? rest[1]?.key : null };
};

test('members that use data while pages are read are collected once', async () => {
  const members = [0, 1, 2, 3, 4].map((index) => ({ iccid: iccidOf(index), used: 100 - index }));
  const last = members[4] as Member;
  gateway.respond(sims, ({ query }) => {
    const { page, next } = pageAfter(members, query.get('sort'), query.get('cursor'));
    // It becomes the first one in the order of usage.
    last.used = 1000;
    return success(
      page.map(({ iccid }) => ({ iccid })),
      { next_cursor: next },
    );
  });
  expect(await collectMembers('7', {})).toEqual(members.map(({ iccid }) => iccid));
});

test('members beyond what the server accepts at once are sent too, so that it refuses instead of leaving some out', async () => {
  const pageSize = 50_000;
  gateway.respond(sims, ({ query }) => {
    const from = Number(query.get('cursor') ?? 0);
    const page = Array.from({ length: pageSize }, (_, index) => ({ iccid: iccidOf(from + index) }));
    return success(page, { next_cursor: String(from + pageSize) });
  });
  expect((await collectMembers('7', {})).length).toBeGreaterThan(limits.simsOfOperation);
});
