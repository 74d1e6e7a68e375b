import { describe, expect, it } from 'vitest';
import { allowedActions } from './saved-views.rules.ts';

const owner = { userId: 'ada', administers: false };
const other = { userId: 'ben', administers: false };
const administrator = { userId: 'cai', administers: true };

describe('what may be done with a saved view', () => {
  it.each([
    [
      'the owner, with one that is not shared',
      { ownerId: 'ada', shared: false },
      owner,
      'change share remove',
    ],
    ['the owner, with a shared one', { ownerId: 'ada', shared: true }, owner, 'change withdraw remove'],
    ['another person', { ownerId: 'ada', shared: true }, other, ''],
    ['an administrator', { ownerId: 'ada', shared: true }, administrator, 'withdraw'],
    [
      'an administrator, with the organisation’s',
      { ownerId: null, shared: true },
      administrator,
      'change remove',
    ],
    ['another person, with the organisation’s', { ownerId: null, shared: true }, other, ''],
  ])('%s', (_, view, viewer, actions) => {
    expect(allowedActions(view, viewer).join(' ')).toBe(actions);
  });
});
