import { expect, test } from 'vitest';
import { pathAfterSwitch } from './use-switch-organisation.ts';

test.each([
  ['/en-US/simCard/8986001230000451882', '/en-US/simCard'],
  ['/en-US/scheduleSmsDetails', '/en-US/message'],
  ['/en-US/taskcenter', '/en-US/taskcenter'],
  ['/en-US/orgs/ACME', '/en-US'],
  ['/en-US/newUser', '/en-US'],
])('from %s, another organisation is opened at %s', (from, to) => {
  const areaOf = (pathname: string) => (pathname.includes('scheduleSmsDetails') ? 'message' : null);
  expect(pathAfterSwitch(from, areaOf)).toBe(to);
});
