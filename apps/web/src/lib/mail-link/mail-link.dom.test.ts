import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { currentMailLink, discardMailLink, readMailLink, startMailLinks } from './index.ts';

const token = 'Zq3-'.repeat(10);

describe('an email link', () => {
  test.each([
    [`#invitation=${token}`, { kind: 'invitation', token }],
    [
      `#reset=${token}&email=ana%2Bfleet%40acme.example`,
      { kind: 'reset', token, email: 'ana+fleet@acme.example' },
    ],
    ['', null],
    ['#', null],
    ['#/simCard', null],
    ['#invitation=short', null],
    [`#invitation=${'x'.repeat(101)}`, null],
    [`#invitation=${encodeURIComponent('<script>alert(1)</script>')}`, null],
    [`#reset=${token}`, null],
    [`#reset=${token}&email=${'a'.repeat(255)}`, null],
  ])('%s', (hash, wanted) => {
    expect(readMailLink(hash)).toEqual(wanted);
  });
});

describe('an email link at the start', () => {
  beforeEach(() => window.history.replaceState(null, '', '/'));
  afterEach(discardMailLink);

  test('is stored in memory only, and removed from the URL', () => {
    window.history.replaceState({ kept: 1 }, '', `/es-ES/login?a=1#invitation=${token}`);
    startMailLinks();
    expect(currentMailLink()).toEqual({ kind: 'invitation', token });
    expect(window.location.href).toBe(`${window.location.origin}/es-ES/login?a=1`);
    expect(window.history.state).toEqual({ kept: 1 });
    expect(JSON.stringify({ ...localStorage, ...sessionStorage })).not.toContain(token);
    discardMailLink();
    expect(currentMailLink()).toBeNull();
  });

  test('is distinguished from other fragments, which are removed too', () => {
    window.history.replaceState(null, '', '/login#section');
    startMailLinks();
    expect(window.location.hash).toBe('');
    expect(currentMailLink()).toBeNull();
  });

  test('works in a tab with the console open as well', async () => {
    startMailLinks();
    window.location.hash = `#invitation=${token}`;
    await vi.waitFor(() => expect(currentMailLink()).toEqual({ kind: 'invitation', token }));
    expect(window.location.hash).toBe('');
  });
});
