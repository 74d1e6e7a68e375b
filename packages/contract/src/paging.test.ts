import { expect, it } from 'vitest';
import { pageSchema } from './paging.ts';

it('a page is a number or its digits, and nothing that merely converts to one', () => {
  expect(pageSchema.parse({ page_no: '2', page_size: 5 })).toEqual({ page_no: 2, page_size: 5 });
  expect(pageSchema.parse({}).page_no).toBe(1);
  for (const page_no of [true, [5], '0x5', ' 5', '1e0', '', null, 1.5])
    expect(pageSchema.safeParse({ page_no }).success, JSON.stringify(page_no)).toBe(false);
});
