import { endpoints } from '@simcube/contract';
import type { PoolEventDetail } from '@simcube/contract/pool';
import { useTranslation } from 'react-i18next';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { lastInstantBefore } from '../../../lib/time/last-instant.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Drawer } from '../../../ui/drawer/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { Time, useCalendar } from '../../../ui/time/index.ts';
import styles from './event-drawer.module.css';
import { LimitChange } from './limit-change.tsx';

interface EventDrawerProps {
  /** Undefined while none is open. */
  id: string | undefined;
  onClose: () => void;
}

/** One event with all its details. */
export const EventDrawer = ({ id, onClose }: EventDrawerProps) => {
  const { t } = useTranslation();
  const {
    data: response,
    error,
    refetch,
  } = useApiQuery({
    ...endpointQuery(endpoints.pool.eventDetail, { params: { poolEventId: id ?? '0' } }),
    enabled: id !== undefined,
  });
  const event = id === undefined ? undefined : response?.data;
  return (
    <Drawer
      onClose={onClose}
      open={id !== undefined}
      title={event ? t(`pool.events.kinds.${event.kind}`) : t('pool.tabs.events')}
    >
      {error && !event ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {event ? <EventDetails event={event} /> : null}
      {event || error ? null : <Loading rows={3} />}
    </Drawer>
  );
};

const EventDetails = ({ event }: { event: PoolEventDetail }) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const calendar = useCalendar();
  const { facts, sims } = event;
  const { iccids = [] } = facts;
  const items = [
    { term: t('pool.activity.time'), value: <Time at={event.at} style="exact" /> },
    { term: t('pool.activity.by'), value: event.by ?? t('sim.events.system') },
    ...(event.task ? [{ term: t('pool.activity.task'), value: event.task }] : []),
    { term: t('pool.limit.limit'), value: <LimitChange event={event} /> },
    { term: t('pool.fields.usage'), value: <Bytes value={event.used_bytes} /> },
    ...(sims > 0 ? [{ term: t('pool.tabs.sims'), value: count(sims) }] : []),
    ...(facts.every_cycle === undefined
      ? []
      : [
          {
            term: t('pool.events.holds'),
            value: t(facts.every_cycle ? 'pool.events.everyCycle' : 'pool.events.thisCycle'),
          },
        ]),
    ...(facts.reason
      ? [{ term: t('pool.events.reason'), value: t(`pool.events.reasons.${facts.reason}`) }]
      : []),
    ...(facts.base_limit_bytes === undefined
      ? []
      : [{ term: t('pool.fields.base'), value: <Bytes value={facts.base_limit_bytes} /> }]),
    ...(facts.cycle_started_at
      ? [{ term: t('pool.fields.cycleStarted'), value: calendar.businessFullDate(facts.cycle_started_at) }]
      : []),
    ...(facts.cycle_ends_at
      ? [
          {
            term: t('pool.fields.cycleEnds'),
            value: calendar.businessFullDate(lastInstantBefore(facts.cycle_ends_at)),
          },
        ]
      : []),
  ];
  return (
    <>
      <DescriptionList items={items} />
      {iccids.length > 0 ? (
        <ul aria-label={t('pool.tabs.sims')} className={styles['sims']}>
          {iccids.map((iccid) => (
            <li key={iccid}>
              <Link href={`/${language}/simCard/${encodeURIComponent(iccid)}`}>
                <Identifier emphasis label={t('sim.columns.iccid')} value={iccid} />
              </Link>
            </li>
          ))}
        </ul>
      ) : null}
      {sims > iccids.length && iccids.length > 0 ? (
        <p className={styles['rest']}>{t('pool.events.more', { shown: count(sims - iccids.length) })}</p>
      ) : null}
    </>
  );
};
