export { adoptKey, checkSealed, exchangeKey, type SealedReport } from './exchange.ts';
export {
  checkInstallationKey,
  type KeyQuestion,
  openInstallationKey,
  watchInstallationKey,
} from './installation-key.ts';
export { type KeySource, keyFromText } from './key-file.ts';
export type { SealedPage, SealedStore, SealedValue } from './sealed-store.ts';
export {
  hashToken,
  type KeyRing,
  keyRingOf,
  SealBroken,
  shutVault,
  type Vault,
  vaultOf,
} from './vault.ts';
