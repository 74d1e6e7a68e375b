import { describe, expect, it } from 'vitest';
import { errorCodeOf, scrub, scrubText, withoutAddresses } from './scrub.rules.ts';

describe('scrubbing', () => {
  it.each([
    ['could not reach postgres://cube:hunter2@db.example:5432/cube', 'could not reach [address]'],
    ['sent to ana.pérez@acme.example, later', 'sent to [mail address], later'],
    ['SIM 8934071234567890123 of +34 600 12 34 56', 'SIM [number] of [number]'],
    ['SIM 8934 0712 3456 7890 123, IMSI 21407-1234567890', 'SIM [number], IMSI [number]'],
    ['connect ECONNREFUSED 10.20.30.40:587', 'connect ECONNREFUSED [address]:587'],
    ['It was refused by 10.20.30.40.', 'It was refused by [address].'],
    ['from 2001:db8::7, not fe80::1:2', 'from [address], not [address]'],
    ['user=ana@acme.example', 'user=[mail address]'],
    [`key ${'0f'.repeat(32)}`, 'key [masked]'],
    ['token hV9tQm2xZr7LbN4cYw8KdJ6s_P-f', 'token [masked]'],
    ['token "hV9tQm2xZr/LbN4cYw8KdJ6s+Pf9A=="', 'token "[masked]"'],
  ])('replaces addresses, numbers and secrets: %s', (text, expected) => {
    expect(scrubText(text)).toBe(expected);
  });

  it.each([
    '0113_dead_lettered_jobs.sql',
    'cdrs_2026_11',
    '2026-11-24T03:44:05.123Z',
    '2026-11-24 03:44:05',
    'listening on 127.0.0.1:8090, 0.0.0.0 and ::1',
    'PostgreSQL 15.20, framesOf log.ts:12:7',
    '15 of 100 connections',
    'PostgreSQL 18.4 responds and accepts writes',
    '1017 of 1024 connections are open',
    'simcube_radius_kernel_dropped_total',
  ])('leaves harmless text unchanged: %s', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  it('replaces this machine’s directories, the longest first', () => {
    const names = { '/home/ana/cube': '[project]', '/home/ana/cube/data': '[data directory]' };
    expect(scrubText('where /home/ana/cube/data is, not /home/ana/cube/x', names)).toBe(
      'where [data directory] is, not [project]/x',
    );
  });

  it('works at any depth, and leaves numbers and dates', () => {
    const at = new Date('2026-11-24T00:00:00Z');
    expect(scrub({ a: [{ b: 'x 12345678' }], bytes: 123_456_789, at, none: null })).toEqual({
      a: [{ b: 'x [number]' }],
      bytes: 123_456_789,
      at,
      none: null,
    });
  });
});

it('servers of a cluster have numbers instead of addresses', () => {
  const node = { isCoordinator: false, bytes: 1 };
  const nodes = [
    { ...node, address: 'db-1.acme.internal:5432', isCoordinator: true },
    { ...node, address: '10.0.0.2:5432' },
  ];
  expect(withoutAddresses({ citus: '13', nodes })).toEqual({
    citus: '13',
    nodes: [
      { ...node, number: 0, isCoordinator: true },
      { ...node, number: 1 },
    ],
  });
});

describe('a stored error', () => {
  it.each([
    ['connect ECONNREFUSED 10.0.0.1:25', 'ECONNREFUSED'],
    ['CB-01-0002: ana@acme.example is unknown', 'CB-01-0002'],
    ['ERR_TLS_CERT_ALTNAME_INVALID of mx.acme.example', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['duplicate key value violates unique constraint "sims_iccid_key"', '23505'],
    ['insert or update on table "sims" violates foreign key constraint "sims_org_id_fkey"', '23503'],
    ['null value in column "org_id" of relation "sims" violates not-null constraint', '23502'],
    ['new row for relation "bills" violates check constraint "bills_check"', '23514'],
    ['no partition of relation "cdrs" found for row', '23514'],
    ['could not serialize access due to concurrent update', '40001'],
    ['deadlock detected', '40P01'],
    ['canceling statement due to statement timeout', '57014'],
    ['canceling statement due to lock timeout', '55P03'],
    ['terminating connection due to administrator command', '57P01'],
    ['sorry, too many clients already', '53300'],
    ['could not extend file "base/5/16384": No space left on device', '53100'],
    ['cannot execute INSERT in a read-only transaction', '25006'],
    ['permission denied for table sims', '42501'],
    ['relation "simss" does not exist', '42P01'],
    ['column "name" does not exist', '42703'],
    ['integer out of range', '22003'],
    ['SIM 8934071234567890123 of ANA is not there', 'other'],
  ])('is reduced to its code: %s', (error, code) => {
    expect(errorCodeOf(error)).toBe(code);
  });
});
