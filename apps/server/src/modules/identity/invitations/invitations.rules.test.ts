import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { invitationEnd, invitationTokenOf, isInvitationToken } from './invitations.rules.ts';

it('a token has 256 bits, and nothing else is accepted as one', () => {
  const token = invitationTokenOf(randomBytes(32));
  expect(Buffer.from(token.slice(4), 'base64url')).toHaveLength(32);
  expect(isInvitationToken(token)).toBe(true);
  for (const wrong of [token.slice(0, -1), `${token}x`, `${token}\n`, token.replace('sci_', 'scs_')]) {
    expect(isInvitationToken(wrong), wrong).toBe(false);
  }
  fc.assert(fc.property(fc.string(), (text) => !isInvitationToken(text)));
});

it('an invitation is valid for seven days', () => {
  expect(invitationEnd(new Date('2026-11-21T12:00:00Z'))).toEqual(new Date('2026-11-28T12:00:00Z'));
});
