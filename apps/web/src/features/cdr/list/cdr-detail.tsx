import type { Cdr, CdrDetail } from '@simcube/contract/cdr';
import { dayMs } from '@simcube/contract/time';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { joinList, useFormat } from '../../../lib/format/index.ts';
import { stringifySearch } from '../../../lib/search-params/index.ts';
import { session } from '../../../lib/session/index.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { useCycleText } from '../../../ui/cycle/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { degreesText, PlaceName } from '../../../ui/place/index.ts';
import { useCalendar } from '../../../ui/time/index.ts';
import { simHref } from './cdr-columns.tsx';
import styles from './cdr-list.module.css';
import { useCdr } from './use-cdrs.ts';

interface CdrDetailProps {
  record: Cdr;
  /** Link to the records of one session. */
  sessionHref: (session: string) => string;
}

/** An opened record: what the network reported, where it was counted, its cost, and links. */
export const CdrDetailPanel = ({ record, sessionHref }: CdrDetailProps) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useCdr(record.id);
  if (!data && error) return <Failure error={error} onRetry={() => void refetch()} small />;
  if (!data) return <Loading rows={3} />;
  const { data: detail } = data;
  return (
    <div className={styles['detail']}>
      <Part title={t('cdr.detail.network')}>
        <NetworkDetails detail={detail} />
      </Part>
      <Part title={t('cdr.detail.counted')}>
        <CycleDetails detail={detail} />
      </Part>
      <Part title={t('cdr.detail.rated')}>
        <RatingDetails detail={detail} />
      </Part>
      <Part title={t('cdr.detail.seeAlso')}>
        <RelatedLinks detail={detail} sessionHref={sessionHref} />
      </Part>
    </div>
  );
};

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className={styles['part']}>
    <h3>{title}</h3>
    {children}
  </section>
);

const NetworkDetails = ({ detail }: { detail: CdrDetail }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { session_id: id, update, updates, seconds_after: after, gateway, place } = detail.network_side;
  const updateNumber =
    update === null || updates === null
      ? null
      : t('cdr.detail.updateOf', { update: count(update), updates: count(updates) });
  const delay = after === null ? null : t('cdr.detail.secondsAfter', { seconds: count(after) });
  return (
    <DescriptionList
      items={[
        {
          term: t('cdr.fields.session'),
          value: id && <Identifier copy label={t('cdr.fields.session')} value={id} />,
        },
        {
          term: t('cdr.detail.update'),
          value: joinList([updateNumber, delay].filter((text) => text !== null)),
        },
        { term: t('cdr.detail.gateway'), value: gateway },
        {
          term: t('cdr.fields.cell'),
          value: detail.cell && <Identifier label={t('cdr.fields.cell')} value={detail.cell} />,
        },
        { term: t('cdr.detail.place'), value: detail.cell && <CellPlace place={place} /> },
      ]}
    />
  );
};

const CellPlace = ({ place }: { place: Place | null }) => {
  const { t } = useTranslation();
  if (place === null) return <span className={styles['quiet']}>{t('cdr.detail.placeUnknown')}</span>;
  return <PlaceName at={place} />;
};

const CycleDetails = ({ detail }: { detail: CdrDetail }) => {
  const { t } = useTranslation();
  const cycleText = useCycleText();
  const { cycle, order, used_after_bytes: used, limit_bytes: limit } = detail.counted;
  const days = cycleText(cycle.started_at, cycle.ends_at);
  return (
    <DescriptionList
      items={[
        {
          term: t('cdr.detail.cycle'),
          value: cycle.provisional
            ? t('kit.marks.aside', { text: days, note: t('cdr.detail.provisional') })
            : days,
        },
        {
          term: t('cdr.detail.order'),
          value: order && joinList([order.bundle_name, order.sales_order_id].filter((text) => text !== null)),
        },
        { term: t('cdr.detail.usedAfter'), value: <Bytes limit={limit} value={used} /> },
      ]}
    />
  );
};

const RatingDetails = ({ detail: { rated } }: { detail: CdrDetail }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const calendar = useCalendar();
  if (rated === null) return <p className={styles['quiet']}>{t('cdr.detail.noTariff')}</p>;
  const { tariff, tariff_from: from, zone, included, price_micros: micros, currency, unit } = rated;
  const price = (): string | null => {
    if (included) return t('cdr.detail.included');
    if (micros === null) return null;
    const amount = format.price(micros, currency);
    return t(unit === 'block' ? 'cdr.detail.perBlock' : 'cdr.detail.perMb', { amount });
  };
  return (
    <DescriptionList
      items={[
        {
          term: t('cdr.detail.tariff'),
          value: t('cdr.detail.tariffFrom', { tariff, day: calendar.day(from) }),
        },
        { term: t('cdr.detail.zone'), value: zone },
        { term: t('cdr.detail.price'), value: price() },
      ]}
    />
  );
};

/** The map around a place, for the days around a record: the map's days have another cut-off. */
const mapHref = (language: string, { latitude, longitude }: Place, endedAt: string): string => {
  const day = (days: number) => new Date(Date.parse(endedAt) + days * dayMs).toISOString().slice(0, 10);
  const at = `${degreesText(latitude)},${degreesText(longitude)}`;
  return `/${language}/heatmap${stringifySearch({ from: day(0), to: day(1), at })}`;
};

type Place = NonNullable<CdrDetail['network_side']['place']>;

const RelatedLinks = ({
  detail,
  sessionHref,
}: {
  detail: CdrDetail;
  sessionHref: (id: string) => string;
}) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { session: id, own, iccid, device_name: device, ended_at: endedAt } = detail;
  const { place } = detail.network_side;
  const canOpenSim = own && session.can('sim');
  if (id === null && !canOpenSim && place === null)
    return <p className={styles['quiet']}>{t('cdr.detail.nowhere')}</p>;
  return (
    <ul className={styles['links']}>
      {id === null ? null : (
        <li>
          <Link href={sessionHref(id)}>{t('cdr.detail.ofSession')}</Link>
        </li>
      )}
      {canOpenSim ? (
        <>
          <li>
            <Link href={simHref(language, iccid)}>{device ?? iccid}</Link>
          </li>
          <li>
            <Link href={`${simHref(language, iccid)}?tab=location`}>{t('cdr.detail.location')}</Link>
          </li>
        </>
      ) : null}
      {place ? (
        <li>
          <Link href={mapHref(language, place, endedAt)}>{t('cdr.detail.onMap')}</Link>
        </li>
      ) : null}
    </ul>
  );
};
