import type { Overage } from '@simcube/contract/bundle';
import type { TFunction } from 'i18next';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Description } from '../../../ui/description-list/index.ts';

/** The amounts that the overage policy uses. */
export const overageAmounts = (overage: Overage, t: TFunction): Description[] => {
  const { slow_kbps: kbps, threshold_bytes: block, stop_after_bytes: stopAfter } = overage;
  const amounts: Description[] = [];
  if (kbps !== null)
    amounts.push({ term: t('simTabs.overuse.speed'), value: t('simTabs.overuse.kbps', { kbps }) });
  if (block !== null) amounts.push({ term: t('simTabs.overuse.threshold'), value: <Bytes value={block} /> });
  if (stopAfter !== null)
    amounts.push({ term: t('simTabs.overuse.stopAfter'), value: <Bytes value={stopAfter} /> });
  return amounts;
};
