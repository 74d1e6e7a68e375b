import type { Service } from '@simcube/contract/bundle';

const GB = 1024 ** 3;
export const testIccid = '89860012300004518823';

/** A bundle order as the server returns it. */
export const orderResponse = (changes: Partial<Service> = {}): Service => ({
  order_id: '17',
  iccid: testIccid,
  bundle: { name: 'EU 5 GB Month', code: 'EU-5GB', sku: 'SKU-5', type: 'prepaid basic' },
  status: 'in use',
  quota_bytes: 5 * GB,
  overage_policy: 'billing and slow down',
  overage: {
    policy: 'billing and slow down',
    slow_kbps: 128,
    threshold_bytes: null,
    stop_after_bytes: null,
  },
  out_of_coverage_policy: 'shut down',
  reset_cycle: 'month',
  sales_order_id: 'SO-22019',
  ordered_at: '2026-11-01T08:00:00.000Z',
  activated_at: '2026-11-02T08:00:00.000Z',
  expires_at: '2027-11-02T08:00:00.000Z',
  cycle: {
    started_at: '2026-11-01T00:00:00.000Z',
    ends_at: '2026-12-01T00:00:00.000Z',
    used_bytes: 4 * GB,
    limit_bytes: 5 * GB,
  },
  ...changes,
});
