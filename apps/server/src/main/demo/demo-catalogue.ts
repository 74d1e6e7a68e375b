import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BundleSpec } from '@simcube/contract/bundle';
import type { SmsQuota } from '@simcube/contract/org';
import type { PoolSpec } from '@simcube/contract/pool';
import type { DeviceKindName } from '@simcube/network-sim';
import { bundleCatalogue } from '../../modules/bundle/index.ts';
import { poolCatalogue } from '../../modules/pool/index.ts';
import { tariffCatalogue, zoneCatalogue } from '../../modules/price/index.ts';
import { projectRoot } from '../../platform/env/index.ts';
import { type Catalogue, readCatalogue } from '../catalogue/catalogue.file.ts';
import { demoLogo } from './demo-logo.ts';

/** The people and things of the demonstration, except its SIMs. */

export const demoPassword = 'Demo-2026!';

interface DemoOrganisation {
  code: string;
  name: string;
  country: string;
  parentCode: string | undefined;
  /** Made a settlement customer, which gets bills. */
  settlement?: boolean;
  quota?: SmsQuota;
  logo?: string;
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
  {
    code: 'BLUECART',
    name: 'Bluecart Retail Systems',
    country: 'FR',
    parentCode: 'OPERATOR',
    logo: demoLogo,
  },
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

/** The start of the demonstration prints the first one; all have the same password. */
export const demoPeople: readonly DemoPerson[] = [
  {
    email: 'admin@acme.example',
    firstName: 'Alba',
    lastName: 'Moreno',
    locale: 'en-US',
    // With oversight, so that she is admin of the parts created below it.
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

/** The bundle of the file for each kind of devices. */
const bundleCodes = {
  meter: 'EU10M',
  tracker: 'EU50M',
  truck: 'EU3G',
  camera: 'EU40G',
  kiosk: 'EU8G',
  scooter: 'CITY10',
} as const satisfies Record<DeviceKindName, string>;

/** Kinds of devices that share a pool if their organisation has one of this bundle. */
const pooledCodes: Partial<Record<DeviceKindName, string>> = { truck: 'EU1GS', kiosk: 'EU4GS' };

/** The tariff of the file for each organisation; those below inherit it. */
export const demoTariffs = [
  { organisation: 'ACME', tariff: 'RETAIL' },
  { organisation: 'NORDWIND', tariff: 'WHOLESALE' },
  { organisation: 'BLUECART', tariff: 'RETAIL' },
] as const;

/** A day before the beginning of the demonstration's history. */
export const tariffsFrom = '2025-01-01';

const catalogueFile = join(projectRoot, 'apps/server/demo/catalogue.yaml');

/** Bundles, zones and tariffs, from an ordinary catalogue file. */
export const demoParts = [bundleCatalogue, zoneCatalogue, tariffCatalogue] as const;

/** Entries that belong to organisations, which must exist first. */
export const demoPoolParts = [poolCatalogue] as const;

let cached: Catalogue | undefined;

export const demoCatalogue = (): Catalogue => {
  cached ??= readCatalogue(readFileSync(catalogueFile, 'utf8'), [...demoParts, ...demoPoolParts]);
  return cached;
};

/** The pool for an organisation's devices of a kind; undefined for most. */
export const demoPoolOf = (kind: DeviceKindName, orgCode: string): PoolSpec | undefined => {
  const pools = demoCatalogue()['pools'] as PoolSpec[];
  return pools.find(({ organisation, bundle }) => organisation === orgCode && bundle === pooledCodes[kind]);
};

export const demoBundleOf = (kind: DeviceKindName, orgCode = ''): BundleSpec => {
  const bundles = demoCatalogue()['bundles'] as BundleSpec[];
  const bundleCode = demoPoolOf(kind, orgCode)?.bundle ?? bundleCodes[kind];
  const found = bundles.find(({ code }) => code === bundleCode);
  if (!found) throw new Error(`The demonstration's catalogue has no bundle ${bundleCode}`);
  return found;
};
