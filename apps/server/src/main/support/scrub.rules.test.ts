import { describe, expect, it } from 'vitest';
import { errorCodeOf, scrub, scrubText, withoutAddresses } from './scrub.rules.ts';

describe('scrubbing', () => {
  it.each([
    ['could not reach postgres://cube:hunter2@db.example:5432/cube', 'could not reach [address]'],
    ['sent to ana.pérez@acme.example, later', 'sent to [mail address], later'],
    ['SIM 8934071234567890123 of +34 600 12 34 56', 'SIM [number] of [number]'],
    ['SIM 8934 0712 3456 7890 123, IMSI 21407-1234567890', 'SIM [number], IMSI [number]'],
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
      ...{ a: [{ b: 'x [number]' }], bytes: 123_456_789, at, none: null },
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
    ['SIM 8934071234567890123 of ANA is not there', 'other'],
  ])('is reduced to its code: %s', (error, code) => {
    expect(errorCodeOf(error)).toBe(code);
  });
});
