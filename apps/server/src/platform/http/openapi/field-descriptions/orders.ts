import type { FieldDescriptions } from './types.ts';

/** Bundles, orders, cycles and money. */
export const orders: FieldDescriptions = {
  bundle: 'Bundle of the order',
  'bundle.code': 'Code of the bundle in the catalogue',
  'bundle.name': 'Name of the bundle in the catalogue',
  'bundle.type':
    'Prepaid or postpaid; a supplementary bundle adds its quota to that of a basic one, and SIMs of “postpaid shared” bundles can share a pool',
  'bundle.sku': 'SKU of the bundle at the operator',
  overage_policy: 'What happens beyond the quota',
  'basic.bundle': 'The basic bundle in use; null if there is none',
  'bundle.expires_at': 'End (UTC) of its order; null without an end',
  'preview.digest': 'Digest of the SIMs that would be changed, for `preview_digest`',
  preview_digest:
    '`digest` of the accepted preview: refused with `CB-01-0032` if other SIMs would be changed now; optional',
  pending_orders: 'Number of orders that wait for it to end',
  cycle: 'The current cycle',
  'cycle.started_at': 'Start (UTC) of the cycle',
  'cycle.ends_at': 'End (UTC) of the cycle, exclusive',
  'cycle.used_bytes': 'Usage in the cycle in bytes, up + down',
  cost: 'Cost of the current cycle so far, provisional; null without a price',
  'cost.currency': 'ISO 4217 code',
  amount_minor:
    'Amount in minor units of the currency (ISO 4217): cents of EUR, whole JPY, thousandths of KWD',
  total_minor: 'Total in minor units of the currency, before tax: the sum of the rounded lines',
  zone: 'Zone of countries whose price applies; null for everything but usage out of coverage',
  'zone.code': 'Code of the zone',
  'zone.name': 'Name of the zone',
  tariff: 'The version of the tariff whose prices apply',
  'tariff.code': 'Code of the tariff',
  'tariff.name': 'Name of the tariff',
  'tariff.starts_on': 'First day of this version of the tariff, a business day',
  price_micros: 'Price of one unit in millionths of the currency (1 EUR = 1,000,000)',
  'lines.quantity': 'Number of units',
  'lines.unit':
    '`each`: activations or cycles; `MB`: started megabytes (1,048,576 bytes); `block`: started blocks of the size that the bundle defines',
  month: 'Month (`YYYY-MM`) of business days',
};
