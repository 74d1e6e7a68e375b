import { expect, it } from 'vitest';
import { networks } from './networks.views.ts';
import { createFormatter } from './source.ts';

it('usage in an unknown country is in the sum and the chart, and does not count as a country', () => {
  const tally = networks.tally(createFormatter('en-US', 'UTC'));
  const row = { operator: null, radio: 1, sims: 1, up: 100, down: 200 };
  tally.add({ ...row, country: 'DE', plmn: '262-01' });
  tally.add({ ...row, country: 'DE', plmn: '262-02' });
  tally.add({ ...row, country: null, plmn: null });
  const figures = tally.figures().map(({ figure, value }) => [figure, value]);
  expect(Object.fromEntries(figures)).toEqual({ countries: 1, networks: 2, used: 900 });
  expect(tally.series().bars.map(({ value }) => value)).toEqual([600, 300]);
});
