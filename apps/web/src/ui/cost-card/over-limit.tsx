import type { PoolUsage } from '@simcube/contract/price';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';

/**
 * How the amount charged beyond a shared pool's limit is computed, in the charging unit; excludes usage that is charged by zone.
 */
export const OverLimit = ({ usage }: { usage: PoolUsage }) => {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const shownMb = (amount: number): string => bytes(amount, 'MB').text;
  const isZoned = usage.zoned_bytes > 0;
  // With a negative result, the sum would not be a valid equation.
  const isWithin = usage.beyond_bytes === 0;
  const shown = {
    used: shownMb(usage.used_bytes),
    limit: shownMb(usage.limit_bytes),
    beyond: shownMb(usage.beyond_bytes),
    zoned: shownMb(usage.zoned_bytes),
  };
  const zoned = isWithin ? 'price.overLimit.zonedWithin' : 'price.overLimit.zoned';
  const plain = isWithin ? 'price.overLimit.within' : 'price.overLimit.plain';
  return (
    <>
      <p>{t(isZoned ? zoned : plain, shown)}</p>
      {isZoned ? <p>{t('price.overLimit.once')}</p> : null}
    </>
  );
};
