import type { CdrSums } from '@simcube/contract/cdr';
import { dayMs } from '@simcube/contract/time';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { Figure, Figures } from '../../../ui/figures/index.ts';
import { volumeOf } from './measures.ts';

/** Sums over all records that match the filter. */
export const ChartFigures = ({ sums }: { sums: CdrSums }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { total, provisional } = sums;
  // Later days have no records yet.
  const until = Math.min(Date.parse(sums.to), Date.parse(sums.counted_until));
  const days = (until - Date.parse(sums.from)) / dayMs;
  const [up, down] = [total.up_bytes, total.down_bytes].map((bytes) => format.bytes(bytes).text);
  return (
    <Figures label={t('cdr.sums.label')}>
      <Figure term={t('cdr.sums.volume')} value={<Bytes value={volumeOf(total)} />}>
        {t('cdr.charts.upDown', { up, down })}
      </Figure>
      <Figure term={t('cdr.sums.records')} value={format.count(total.records)}>
        {days >= 2 ? t('cdr.charts.aDay', { shown: format.count(total.records / days) }) : null}
      </Figure>
      <Figure term={t('cdr.sums.sessions')} value={format.count(total.sessions)}>
        {t('cdr.charts.countedUntil', { time: format.dateTime(sums.counted_until) })}
      </Figure>
      <Figure term={t('cdr.sums.sims')} value={format.count(total.sims)}>
        {t('cdr.charts.withRecords')}
      </Figure>
      <Figure term={t('cdr.charts.stillProvisional')} value={<Bytes value={volumeOf(provisional)} />}>
        {t('cdr.charts.endedFrom', { time: format.dateTime(sums.provisional_from) })}
      </Figure>
    </Figures>
  );
};
