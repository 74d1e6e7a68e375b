import type { PoolUsage } from '@simcube/contract/price';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';

/** How what is charged beyond a shared pool's limit comes about, in what it is charged by: usage that a zone is charged for is none of it. */
export const OverLimit = ({ usage }: { usage: PoolUsage }) => {
  const { t } = useTranslation();
  const { bytes } = useFormat();
  const shownMb = (amount: number): string => bytes(amount, 'MB').text;
  const isZoned = usage.zoned_bytes > 0;
  const shown = {
    used: shownMb(usage.used_bytes),
    limit: shownMb(usage.limit_bytes),
    beyond: shownMb(usage.beyond_bytes),
  };
  return (
    <>
      <p>
        {isZoned
          ? t('price.overLimit.zoned', { ...shown, zoned: shownMb(usage.zoned_bytes) })
          : t('price.overLimit.plain', shown)}
      </p>
      {isZoned ? <p>{t('price.overLimit.once')}</p> : null}
    </>
  );
};
