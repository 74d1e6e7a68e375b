import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { HistoriesUnwritten, isUnavailableError, troubleOf } from './trouble.ts';

const said = (code: string, message: string): Error =>
  Object.assign(new DatabaseError(message, message.length, 'error'), { code, severity: 'ERROR' });

describe('an unreachable cluster node', () => {
  it.each([
    ['08006', 'connection to the remote node simcube@127.0.0.1:35639 failed with the following error'],
    ['58030', 'failed to COPY to shard 102204 on 127.0.0.1:35639'],
    ['XX000', 'failure on connection marked as essential: 127.0.0.1:44633'],
    ['XX000', 'server closed the connection unexpectedly'],
  ])('is recognised by the coordinator’s error: %s, %s', (code, message) => {
    expect(troubleOf(said(code, message))).toBe('away');
    expect(isUnavailableError(said(code, message))).toBe(true);
  });

  it('is recognised if records of a batch still have not been written to it', () => {
    expect(isUnavailableError(new HistoriesUnwritten())).toBe(true);
  });

  it('is not confused with a failed statement or another unreachable service', () => {
    expect(troubleOf(said('XX000', 'cache lookup failed for relation 1'))).toBeUndefined();
    expect(isUnavailableError(said('23505', 'duplicate key value violates unique constraint'))).toBe(false);
    const refused = Object.assign(new Error('connect ECONNREFUSED 192.0.2.1:443'), { code: 'ECONNREFUSED' });
    expect(isUnavailableError(refused)).toBe(false);
  });
});
