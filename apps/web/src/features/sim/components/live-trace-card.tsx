import type { SimEvent } from '@simcube/contract/sim';
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
import { eventWords } from '../event-words.ts';
import { sessionMoment } from '../session-moment.ts';
import styles from './live-trace-card.module.css';

const shown = 6;
const hourMs = 3_600_000;

/** The SIM's events as they happen: the current session at the top, then the latest events. */
export const LiveTraceCard = ({ iccid, onAll }: { iccid: string; onAll: () => void }) => {
  const { t } = useTranslation();
  const { data: answer, error, refetch } = useSimEvents(iccid, { page: 1, size: 10 });
  const { data: connection } = useSimConnection(iccid);
  const now = connection && sessionMoment(connection.data, (value) => t('sim.events.fact.cell', { value }));
  const events = answer?.data.slice(0, shown) ?? [];
  const nothing = answer && events.length === 0 && !now;
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
      {error && !answer ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {answer || error ? null : <Loading rows={6} />}
      {nothing ? <Empty small title={t('sim.trace.none')} /> : null}
      <ol aria-live="polite" aria-relevant="additions" className={styles['trace']}>
        {now ? <Moment at={now.at} detail={now.detail} live title={t('sim.trace.now')} tone="teal" /> : null}
        {events.map((event) => (
          <EventMoment event={event} key={event.id} />
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

const EventMoment = ({ event }: { event: SimEvent }) => {
  const { t } = useTranslation();
  const format = useFormat();
  const { title, detail, exact, tone } = eventWords(event, { t, format });
  const actor = event.actor === null ? '' : t('sim.events.by', { actor: event.actor });
  return (
    <Moment
      at={event.at}
      detail={[actor, detail].filter(Boolean).join(' · ')}
      exact={exact}
      title={title}
      tone={tone}
    />
  );
};

interface MomentProps {
  at: string;
  title: string;
  detail: string;
  exact?: string;
  tone: Parameters<typeof Dot>[0]['tone'];
  live?: boolean;
}

const Moment = ({ at, title, detail, exact, tone, live = false }: MomentProps) => {
  const format = useFormat();
  const now = useNow(60_000);
  const recent = now - Date.parse(at) < 18 * hourMs;
  return (
    <li className={styles['moment']}>
      <time dateTime={at} title={format.exact(at)}>
        {recent ? format.time(at) : format.shortDate(at)}
      </time>
      <Dot live={live} tone={tone} />
      <div className={styles['words']}>
        <strong>{title}</strong>
        {detail ? <span title={exact}>{detail}</span> : null}
      </div>
    </li>
  );
};
