import type { BundleSpec } from '@simcube/contract/bundle';
import type { SmsQuota } from '@simcube/contract/org';
import type { DeviceKindName } from '@simcube/network-sim';

/** Who and what the demonstration shows, besides its SIMs. */

export const demoPassword = 'Demo-2026!';

interface DemoOrganisation {
  code: string;
  name: string;
  country: string;
  parentCode: string | undefined;
  /** Bills go to its name. */
  settlement?: boolean;
  quota?: SmsQuota;
}

/** The operator, its customers, and their parts: parents before children. */
export const demoOrganisations: readonly DemoOrganisation[] = [
  { code: 'OPERATOR', name: 'SimCube Operator', country: 'ES', parentCode: undefined },
  {
    code: 'ACME',
    name: 'Acme Mobility',
    country: 'ES',
    parentCode: 'OPERATOR',
    quota: { kind: 'custom', messages: 50_000 },
  },
  {
    code: 'ACME-IBERIA',
    name: 'Acme Mobility Iberia',
    country: 'ES',
    parentCode: 'ACME',
    quota: { kind: 'custom', messages: 20_000 },
  },
  { code: 'ACME-NORTH', name: 'Acme Mobility North', country: 'FR', parentCode: 'ACME' },
  { code: 'NORDWIND', name: 'Nordwind Utilities', country: 'DE', parentCode: 'OPERATOR', settlement: true },
  {
    code: 'NORDWIND-GRID',
    name: 'Nordwind Smart Grid',
    country: 'DE',
    parentCode: 'NORDWIND',
    quota: { kind: 'none' },
  },
  { code: 'BLUECART', name: 'Bluecart Retail Systems', country: 'FR', parentCode: 'OPERATOR' },
];

interface DemoPerson {
  email: string;
  firstName: string;
  lastName: string;
  locale: string;
  memberships: readonly {
    code: string;
    role: 'user' | 'operator' | 'admin' | 'superadmin';
    oversight?: boolean;
  }[];
}

/** The first one is who the start of the demonstration names; all have the same password. */
export const demoPeople: readonly DemoPerson[] = [
  {
    email: 'admin@acme.example',
    firstName: 'Alba',
    lastName: 'Moreno',
    locale: 'en-US',
    // With oversight, so that the parts made below it have her as admin.
    memberships: [
      { code: 'ACME', role: 'admin', oversight: true },
      { code: 'BLUECART', role: 'admin' },
    ],
  },
  {
    email: 'root@simcube.example',
    firstName: 'Robin',
    lastName: 'Ott',
    locale: 'en-US',
    memberships: [
      { code: 'OPERATOR', role: 'superadmin' },
      { code: 'ACME', role: 'superadmin' },
      { code: 'NORDWIND', role: 'superadmin' },
      { code: 'BLUECART', role: 'superadmin' },
    ],
  },
  {
    email: 'operator@acme.example',
    firstName: 'Olu',
    lastName: 'Adeyemi',
    locale: 'en-US',
    memberships: [{ code: 'ACME', role: 'operator' }],
  },
  {
    email: 'user@acme.example',
    firstName: 'Ulla',
    lastName: 'Berg',
    locale: 'en-US',
    memberships: [{ code: 'ACME', role: 'user' }],
  },
  {
    email: 'admin@nordwind.example',
    firstName: 'Nora',
    lastName: 'Winter',
    locale: 'en-US',
    memberships: [{ code: 'NORDWIND', role: 'admin', oversight: true }],
  },
];

const megabyte = 1024 ** 2;
const gigabyte = 1024 ** 3;

const bundle = (
  own: Pick<BundleSpec, 'code' | 'name' | 'quota_bytes'> & Partial<BundleSpec>,
): BundleSpec => ({
  sku: `SKU-${own.code}`,
  type: 'prepaid basic',
  overage_policy: 'stop',
  out_of_coverage_policy: 'not applicable',
  reset_cycle: 'full month',
  slow_kbps: null,
  duration_days: 180,
  coverage_countries: [],
  threshold_bytes: null,
  stop_after_bytes: null,
  orderable: true,
  ...own,
});

const slowed = { overage_policy: 'billing and slow down', slow_kbps: 256 } as const;

/** The European Union with its neighbours of the same roaming price, as the bundles named "EU" are sold. */
const europe = {
  coverage_countries:
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IS IT LI LT LU LV MT NL NO PL PT RO SE SI SK'.split(' '),
} as const satisfies Partial<BundleSpec>;

export const demoBundles = {
  meter: bundle({
    code: 'EU10M',
    name: 'EU 10 MB Month',
    quota_bytes: 10 * megabyte,
    ...europe,
    out_of_coverage_policy: 'billing',
  }),
  tracker: bundle({
    code: 'EU50M',
    name: 'EU 50 MB Month',
    quota_bytes: 50 * megabyte,
    reset_cycle: 'month',
  }),
  truck: bundle({
    code: 'EU3G',
    name: 'EU 3 GB Month',
    quota_bytes: 3 * gigabyte,
    ...slowed,
    slow_kbps: 128,
    coverage_countries: [...europe.coverage_countries, 'CH', 'GB'],
    out_of_coverage_policy: 'shut down',
  }),
  camera: bundle({
    code: 'EU40G',
    name: 'EU 40 GB Month',
    quota_bytes: 40 * gigabyte,
    ...slowed,
    duration_days: null,
  }),
  kiosk: bundle({
    code: 'EU8G',
    name: 'EU 8 GB Month',
    quota_bytes: 8 * gigabyte,
    type: 'postpaid bundle',
    overage_policy: 'billing',
    ...europe,
    out_of_coverage_policy: 'billing',
  }),
  scooter: bundle({ code: 'CITY10', name: 'City 10 MB Day', quota_bytes: 10 * megabyte, reset_cycle: 'day' }),
} as const satisfies Record<DeviceKindName, BundleSpec>;

/** In the catalogue, but on no SIM of the demonstration. */
export const otherBundles: readonly BundleSpec[] = [
  bundle({
    code: 'TEST5M',
    name: 'Test 5 MB',
    quota_bytes: 5 * megabyte,
    type: 'test plan',
    reset_cycle: '24h day',
    duration_days: 30,
  }),
  bundle({
    code: 'TOPUP1G',
    name: 'Top-up 1 GB',
    quota_bytes: gigabyte,
    type: 'prepaid supplementary',
    duration_days: 30,
  }),
  bundle({
    code: 'FLOW1Y',
    name: 'World 12 GB Year',
    quota_bytes: 12 * gigabyte,
    type: 'postpaid flow',
    overage_policy: 'billing and threshold',
    threshold_bytes: 100 * megabyte,
    out_of_coverage_policy: 'billing',
    reset_cycle: 'full year',
    duration_days: null,
  }),
];
