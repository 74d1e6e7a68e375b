import type { SimEvent } from '@simcube/contract/sim';
import { hourMs } from '@simcube/contract/time';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { useLiveState } from '../../../lib/live/index.ts';
import { Card, Pill } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { Dot } from '../../../ui/status/index.ts';
import { useNow } from '../../../ui/time/index.ts';
import { useSimConnection, useSimEvents } from '../api/use-sim.ts';
import { describeEvent } from '../event-text.ts';
import { currentSessionEntry } from '../session-entry.ts';
import styles from './live-trace-card.module.css';

const shownEventCount = 6;

/** The SIM's events as they happen: the current session at the top, then the latest events. */
export const LiveTraceCard = ({ iccid, onAll }: { iccid: string; onAll: () => void }) => {
  const { t } = useTranslation();
  const { data: response, error, refetch } = useSimEvents(iccid, { page: 1, size: 10 });
  const { data: connection } = useSimConnection(iccid);
  const now =
    connection && currentSessionEntry(connection.data, (value) => t('sim.events.fact.cell', { value }));
  const events = response?.data.slice(0, shownEventCount) ?? [];
  const isEmpty = response && events.length === 0 && !now;
  return (
    <Card
      aside={<StreamState />}
      extra={
        <Button onClick={onAll} size="small" type="link">
          {t('sim.trace.all')}
        </Button>
      }
      title={t('sim.trace.title')}
    >
      {error && !response ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {response || error ? null : <Loading rows={6} />}
      {isEmpty ? <Empty small title={t('sim.trace.none')} /> : null}
      <ol aria-live="polite" aria-relevant="additions" className={styles['trace']}>
        {now ? (
          <TraceItem at={now.at} detail={now.detail} live title={t('sim.trace.now')} tone="teal" />
        ) : null}
        {events.map((event) => (
          <EventItem event={event} key={event.id} />
        ))}
      </ol>
    </Card>
  );
};

const StreamState = () => {
  const { t } = useTranslation();
  const state = useLiveState();
  if (state === 'streaming') {
    return (
      <Pill dot="var(--teal)" tone="good">
        {t('sim.trace.streaming')}
      </Pill>
    );
  }
  return (
    <Pill dot="var(--orange)" tone="warning">
      {t(`sim.trace.${state}`)}
    </Pill>
  );
};

const EventItem = ({ event }: { event: SimEvent }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { title, detail, exact, tone } = describeEvent(event, { t, format });
  const actor = event.actor === null ? '' : t('sim.events.by', { actor: event.actor });
  return (
    <TraceItem
      at={event.at}
      detail={[actor, detail].filter(Boolean).join(' · ')}
      exact={exact}
      title={title}
      tone={tone}
    />
  );
};

interface TraceItemProps {
  at: string;
  title: string;
  detail: string;
  exact?: string;
  tone: Parameters<typeof Dot>[0]['tone'];
  live?: boolean;
}

const TraceItem = ({ at, title, detail, exact, tone, live = false }: TraceItemProps) => {
  const format = useFormat();
  const now = useNow(60_000);
  const isRecent = now - Date.parse(at) < 18 * hourMs;
  return (
    <li className={styles['entry']}>
      <time dateTime={at} title={format.exact(at)}>
        {isRecent ? format.time(at) : format.shortDate(at)}
      </time>
      <Dot live={live} tone={tone} />
      <div className={styles['text']}>
        <strong>{title}</strong>
        {detail ? <span title={exact}>{detail}</span> : null}
      </div>
    </li>
  );
};
