import { endpoints } from '@simcube/contract';
import { isReplayable, type Replay } from '@simcube/contract/autoflow';
import type { Amount } from '@simcube/contract/price';
import { Button, Progress } from 'antd';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call, endpointQuery, isTemporary, messageOf } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { BarChart } from '../../../ui/chart/index.ts';
import { Failure, Refusal } from '../../../ui/failure/index.ts';
import { Figure, Figures } from '../../../ui/figures/index.ts';
import { useFocusHandover } from '../../../ui/focus/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useApiQuery, useLoadMore } from '../../../ui/query/index.ts';
import { SmallTable } from '../../../ui/small-table/index.ts';
import { Time, useCalendar } from '../../../ui/time/index.ts';
import styles from '../autoflow.module.css';
import { useMeasuredText } from '../detail/use-measured-text.ts';
import { mayWrite } from '../may-write.ts';
import { type Draft, evaluatedPartsOf } from './draft.ts';

interface ReplayCardProps {
  draft: Draft;
  /** The edited rule: the replay is compared with it. */
  ruleId: string | undefined;
}

const pollMs = 500;
const isOpen = ({ state }: Replay): boolean => state === 'waiting' || state === 'running';

/** When and for which SIMs the rule would have fired in the last 30 days. */
export const ReplayCard = ({ draft, ruleId }: ReplayCardProps) => {
  const { t } = useTranslation();
  const { count, rounded } = useFormat();
  const [startedReplay, setStartedReplay] = useState<{ replay: Replay; of: string }>();
  const [busy, setBusy] = useState(false);
  const evaluatedParts = evaluatedPartsOf(draft);
  const isStored = !evaluatedParts || isReplayable(evaluatedParts.trigger);
  const currentParts = JSON.stringify(evaluatedParts);
  const replayId = startedReplay?.replay.id;
  const { data, error } = useApiQuery({
    ...endpointQuery(endpoints.autoflow.readReplay, { params: { replayId: replayId ?? '0' } }),
    enabled: replayId !== undefined,
    refetchInterval: ({ state }) =>
      state.error || (state.data && !isOpen(state.data.data)) ? false : pollMs,
  });
  const lastKnown = replayId === undefined ? undefined : (data?.data ?? startedReplay?.replay);
  // The person has started another one elsewhere, which replaced it.
  const lost = lastKnown && isOpen(lastKnown) && error && !isTemporary(error) ? error : undefined;
  const replay = lost ? undefined : lastKnown;
  useCancelOnLeave(replay);
  // Starting another one is only useful for a rule that has changed since.
  const isUnderWay = replay !== undefined && isOpen(replay) && startedReplay?.of === currentParts;
  const start = async (): Promise<void> => {
    if (!evaluatedParts) return;
    setBusy(true);
    await attempt(async () => {
      const body = { ...evaluatedParts, ...(ruleId === undefined ? {} : { ruleId }) };
      const { data: started } = await call(endpoints.autoflow.replay, { body });
      setStartedReplay({ replay: started, of: currentParts });
    });
    setBusy(false);
  };
  return (
    <Card
      extra={
        replay?.took_ms == null || isOpen(replay)
          ? null
          : t('autoflow.replay.took', {
              count: replay.records,
              shown: count(replay.records),
              seconds: rounded(replay.took_ms / 1000),
            })
      }
      title={t('autoflow.replay.title')}
    >
      <div className={styles['stack']}>
        <div className={styles['line']}>
          <Button
            disabled={!evaluatedParts || !isStored || !mayWrite()}
            loading={busy || isUnderWay}
            onClick={() => void start()}
          >
            {t(replay && !isUnderWay ? 'autoflow.replay.again' : 'autoflow.replay.begin')}
          </Button>
          <span className={styles['faint']}>
            {isStored
              ? t(
                  replay && startedReplay?.of !== currentParts
                    ? 'autoflow.replay.changed'
                    : 'autoflow.replay.hint',
                )
              : t('autoflow.notReplayed.hint', { reason: t('autoflow.notReplayed.presentOnly') })}
          </span>
        </div>
        <Refusal reason={lost && messageOf(lost)} />
        {replay && isOpen(replay) ? <Running replay={replay} /> : null}
        {replay?.state === 'failed' || replay?.state === 'cancelled' ? (
          <p className={styles['error']} role="alert">
            {t(`autoflow.replay.${replay.state}`)}
          </p>
        ) : null}
        {replay?.state === 'done' ? <Outcome replay={replay} /> : null}
      </div>
    </Card>
  );
};

/** Cancels a replay when the person leaves the page; one replaced by another ends automatically. */
const useCancelOnLeave = (replay: Replay | undefined): void => {
  const onLeave = useEffectEvent(() => {
    if (!replay || !isOpen(replay)) return;
    const params = { replayId: replay.id };
    void attempt(async () => {
      await call(endpoints.autoflow.cancelReplay, { params, announce: false });
    });
  });
  useEffect(() => () => onLeave(), []);
};

const Running = ({ replay: { state, progress } }: { replay: Replay }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const share = progress.sims === 0 ? 0 : Math.floor((progress.done / progress.sims) * 100);
  return (
    <>
      <Progress aria-label={t('autoflow.replay.title')} percent={share} size="small" />
      <span className={styles['faint']} role="status">
        {state === 'waiting'
          ? t('autoflow.replay.waiting')
          : t('autoflow.replay.running', { done: count(progress.done), sims: count(progress.sims) })}
      </span>
    </>
  );
};

const Outcome = ({ replay }: { replay: Replay }) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const calendar = useCalendar();
  const { former, overage } = replay;
  return (
    <>
      <Figures>
        <Figure term={t('autoflow.replay.firings')} value={count(replay.firings)}>
          {former && <PreviousVersion figure={count(former.firings)} version={former.version} />}
        </Figure>
        <Figure term={t('autoflow.replay.sims')} value={count(replay.sims)}>
          {former && <PreviousVersion figure={count(former.sims)} version={former.version} />}
        </Figure>
        {overage && <Overage former={former} overage={overage} />}
      </Figures>
      <BarChart
        categories={replay.days.map(({ day }) => day.slice(8).replace(/^0/, ''))}
        categoryLabel={t('autoflow.replay.day')}
        label={t('autoflow.replay.title')}
        longCategories={replay.days.map(({ day }) => calendar.shortDay(day))}
        format={count}
        formatBar={(value) => (value === 0 ? '' : count(value))}
        unfinished={replay.days.length - 1}
        valueLabel={t('autoflow.replay.firings')}
        values={replay.days.map((one) => one.count)}
      />
      {replay.firings > 0 ? <Firings firings={replay.firings} replayId={replay.id} /> : null}
    </>
  );
};

/** The same figure for the rule's previous version. */
const PreviousVersion = ({ version, figure }: { version: number; figure: string }) => {
  const { t } = useTranslation();
  return <span>{t('autoflow.replay.former', { version, figure })}</span>;
};

const Overage = ({ overage, former }: { overage: readonly Amount[]; former: Replay['former'] }) => {
  const { t } = useTranslation();
  const { money } = useFormat();
  const shown = (amounts: readonly Amount[]): string =>
    amounts.length === 0 ? t('autoflow.replay.noTariff') : amounts.map(money).join(' + ');
  return (
    <Figure term={t('autoflow.replay.overage')} value={shown(overage)}>
      {former?.overage && <PreviousVersion figure={shown(former.overage)} version={former.version} />}
      <span className={styles['faint']}>{t('autoflow.replay.overageOf')}</span>
    </Figure>
  );
};

const firingsPerPage = 10;

const Firings = ({ replayId, firings }: { replayId: string; firings: number }) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const measured = useMeasuredText();
  const { rows, error, refetch, ...more } = useLoadMore({
    key: [endpoints.autoflow.listReplayFirings.id, replayId],
    request: ({ cursor, signal }) =>
      call(endpoints.autoflow.listReplayFirings, {
        params: { replayId },
        query: { page_size: firingsPerPage, cursor },
        signal,
        announce: false,
      }),
  });
  const body = useRef<HTMLTableSectionElement>(null);
  const listedBefore = useRef(0);
  // The button disappears with the last firings: the first of them is next.
  const handover = useFocusHandover(() => body.current?.querySelectorAll('a')[listedBefore.current]);
  if (!rows)
    return error ? (
      <Failure error={error} onRetry={() => void refetch()} small />
    ) : (
      <Loading rows={firingsPerPage} />
    );
  return (
    <>
      <SmallTable>
        <thead>
          <tr>
            <th>{'ICCID'}</th>
            <th>{t('autoflow.runs.at')}</th>
            <th data-end="true">{t('autoflow.runs.measured')}</th>
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((firing) => (
            <tr key={`${firing.iccid} ${firing.at}`}>
              <td>
                <Link href={`/${language}/simCard/${encodeURIComponent(firing.iccid)}`}>
                  <Identifier emphasis label="ICCID" value={firing.iccid} />
                </Link>
              </td>
              <td>
                <Time at={firing.at} />
              </td>
              <td data-end="true">{measured(firing.measured)}</td>
            </tr>
          ))}
        </tbody>
      </SmallTable>
      {error ? (
        <Failure error={error} onRetry={more.hasMore ? more.loadMore : () => void refetch()} small />
      ) : null}
      {rows.length < firings ? (
        <div className={styles['line']}>
          <span className={styles['faint']}>
            {t('autoflow.replay.listed', { shown: count(rows.length), all: count(firings) })}
          </span>
          {more.hasMore ? (
            <Button
              loading={more.isLoadingMore}
              onClick={() => {
                listedBefore.current = rows.length;
                more.loadMore();
              }}
              size="small"
              {...handover}
            >
              {t('autoflow.replay.more')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  );
};
