import { isDeepStrictEqual } from 'node:util';
import type { BundleSpec } from '@simcube/contract';
import type { Sql } from '../../platform/db/index.ts';
import { findBundle, insertBundle } from './bundle.queries.ts';
import { BundleRefused } from './bundle.rules.ts';

/**
 * Makes a bundle of the catalogue.
 * @returns false when it is there already, just so
 * @throws BundleRefused when there is another one with its code: SIMs may be using it
 */
export const createBundle = async (tx: Sql, spec: BundleSpec): Promise<boolean> => {
  if (await insertBundle(tx, spec)) return true;
  if (isDeepStrictEqual({ ...(await findBundle(tx, spec.code)) }, { ...spec })) return false;
  throw new BundleRefused(`There is another bundle ${spec.code}, and SIMs may be using it: take a new code`);
};
