import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';

export interface BytesProps {
  value: number;
  /** Shown as "4.1 / 5 GB". */
  limit?: number | null | undefined;
}

/** An amount of data as text, for places that don't show it otherwise: rounded, with the exact number of bytes. */
export const useExactBytes = (): ((value: number) => string) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (value) => {
    const { text, unit } = format.bytes(value);
    return unit === 'B' ? text : `${text} · ${t('common.bytesExact', { bytes: format.exactBytes(value) })}`;
  };
};

/** An amount of data in binary units; the exact number of bytes on hover. */
export const Bytes = ({ value, limit }: BytesProps) => {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <span title={t('common.bytesExact', { bytes: format.exactBytes(value) })}>
      {limit ? format.bytesOfLimit(value, limit) : format.bytes(value).text}
    </span>
  );
};
