import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from '../../lib/search-params/index.ts';
import { type SmsSearch, searchOfTab, smsSearch } from './search.ts';

const of = (text: string): SmsSearch => smsSearch.parse(parseSearch(text));

test('schedules are not filtered by what only messages have, which stays for the other tabs', () => {
  const { isFiltered, withoutFilters } = searchOfTab.scheduled;
  expect(isFiltered(of('?tab=scheduled&last=today&sims=89860012300004518823&status=failed'))).toBe(false);
  const filtered = of('?tab=scheduled&last=today&status=failed&state=enabled&search=a');
  expect(isFiltered(filtered)).toBe(true);
  expect(of(stringifySearch(withoutFilters(filtered)))).toEqual(
    of('?tab=scheduled&last=today&status=failed'),
  );
});

test('replies are not filtered by status, type or direction', () => {
  expect(searchOfTab.replies.isFiltered(of('?tab=replies&status=failed&kind=instant&direction=mt'))).toBe(
    false,
  );
  expect(searchOfTab.replies.isFiltered(of('?tab=replies&last=today'))).toBe(true);
});
