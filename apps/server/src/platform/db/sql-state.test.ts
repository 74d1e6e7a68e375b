import { describe, expect, it } from 'vitest';
import { sqlStateOf, uniqueKeyOf } from './sql-state.ts';

describe('the SQLSTATE of an error', () => {
  it('is the server’s code', () => {
    expect(sqlStateOf({ code: '40001', message: 'could not serialize access' })).toBe('40001');
    expect(sqlStateOf(new Error('no code'))).toBeUndefined();
  });

  it('is parsed from messages that Citus relays as internal errors', () => {
    const message = 'duplicate key value violates unique constraint "cdrs_2026_10_pkey_102036"';
    expect(sqlStateOf({ code: 'XX000', message })).toBe('23505');
    expect(
      sqlStateOf({ code: 'XX000', message: 'no partition of relation "cdrs_102008" found for row' }),
    ).toBe('23514');
    expect(sqlStateOf({ code: 'XX000', message: 'cache lookup failed for relation 1' })).toBe('XX000');
  });

  it('comes with the violated unique key', () => {
    expect(uniqueKeyOf({ code: '23505', constraint: 'cdrs_2026_10_pkey', message: 'anything' })).toBe(
      'cdrs_2026_10_pkey',
    );
    const message = 'duplicate key value violates unique constraint "cdrs_2026_10_pkey_102036"';
    expect(uniqueKeyOf({ code: 'XX000', message })).toBe('cdrs_2026_10_pkey_102036');
    expect(uniqueKeyOf({ code: '23514', message })).toBeUndefined();
  });
});
