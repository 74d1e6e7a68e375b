import { triggerKinds } from '@simcube/contract/autoflow';
import { expect, it } from 'vitest';
import { offersOf } from './offers.rules.ts';

it('conditions have the units of the figures that are compared with them', () => {
  const offers = offersOf('all', 'en-US');
  expect(offers.map(({ kind }) => kind)).toEqual(triggerKinds);
  const units = Object.fromEntries(
    offers.flatMap(({ kind, bounds }) => (bounds[0] ? [[kind, bounds.map(({ unit }) => unit)]] : [])),
  );
  expect(units).toEqual({
    'data-usage': ['KB', 'MB', 'GB', '%'],
    'sms-mt': ['SMS'],
    'sms-mo': ['SMS'],
    'first-use': ['days'],
    'lifecycle-expiry': ['days'],
    silent: ['hours'],
    sessions: ['sessions'],
    cost: ['minor'],
    'unusual-usage': ['multiple'],
  });
});
