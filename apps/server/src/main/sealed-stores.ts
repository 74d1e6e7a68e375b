import { gatewaySecrets } from '../modules/aaa/index.ts';
import { secondFactorSecrets } from '../modules/identity/index.ts';
import { targetSecrets } from '../modules/notify/index.ts';
import { smscPasswords } from '../modules/sms/index.ts';
import { deadLetterSecrets, queuedSecrets } from '../platform/jobs/index.ts';
import type { SealedStore } from '../platform/secrets/index.ts';

/** Everything sealed with the installation's key. */
export const sealedStores: readonly SealedStore[] = [
  gatewaySecrets,
  smscPasswords,
  secondFactorSecrets,
  targetSecrets,
  queuedSecrets,
  deadLetterSecrets,
];
