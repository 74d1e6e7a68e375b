import { expect, test } from 'vitest';
import { menuPathOf } from './menu.ts';

test.each([
  ['/en-US/scheduleSmsDetails', 'message'],
  ['/es-ES/financeSimDetailsPage', 'finance'],
  ['/en-US/workFlowOperation', 'autoflow'],
  ['/en-US/simCard/8986001230000451882', 'simCard'],
  ['/en-US/401', null],
])('%s belongs to the menu page %s', (pathname, path) => {
  expect(menuPathOf(pathname)).toBe(path);
});
