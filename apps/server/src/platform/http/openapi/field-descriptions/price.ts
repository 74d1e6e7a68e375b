import type { FieldDescriptions } from './types.ts';

export const price: FieldDescriptions = {
  poolId: 'ID of the shared pool',
  lines: 'Charges of the cycle so far; each is rounded once to minor units',
  kind: 'What is charged',
  'lines.bundle': 'Bundle of the order; null for usage in a zone, and for pools',
  'lines.bytes': 'The charged usage in bytes; null for other charges',
  'data.over_limit':
    'How the usage beyond the pool’s limit was computed; null while there is none, or if it is not charged',
  'over_limit.used_bytes': 'Usage of the pool in the cycle in bytes',
  'over_limit.limit_bytes': 'Limit of the pool in the cycle in bytes',
  zoned_bytes: 'Bytes of it that are charged by zone, and therefore not again',
  beyond_bytes: 'Bytes of the rest that exceed the limit: the charged amount',
};
