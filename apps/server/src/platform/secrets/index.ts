export { adoptKey, checkSealedStores, exchangeKey, type SealedReport } from './exchange.ts';
export {
  checkInstallationKey,
  type KeyContext,
  openInstallationKey,
  watchInstallationKey,
} from './installation-key.ts';
export { type KeySource, keyFromText } from './key-file.ts';
export { type SealedPage, type SealedStore, type SealedValue, sealedColumn } from './sealed-store.ts';
export {
  closedVault,
  hashToken,
  type KeyRing,
  keyRingOf,
  UnsealError,
  type Vault,
  vaultOf,
} from './vault.ts';
