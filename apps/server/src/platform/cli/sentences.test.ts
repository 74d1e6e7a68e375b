import pg from 'pg';
import { expect, it } from 'vitest';
import { sentenceOf } from './index.ts';

it('a database stopped by another process is reported with the fix', () => {
  const stopped = new pg.DatabaseError('terminating connection due to administrator command', 9, 'error');
  stopped.code = '57P01';
  for (const error of [stopped, new Error('Connection terminated unexpectedly')])
    expect(sentenceOf(error)).toMatch(/^The database was stopped while the command ran, .* Try again\.$/);
});
