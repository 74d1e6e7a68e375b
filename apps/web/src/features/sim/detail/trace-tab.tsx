import { endpoints } from '@simcube/contract';
import { isSimEventKind, simEvents } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { download } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { ExportMenu } from '../../../ui/export-menu/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { type Moment, Timeline } from '../../../ui/timeline/index.ts';
import { visuallyHidden } from '../../../ui/visually-hidden/index.ts';
import { type TraceEntry, useSimTrace } from '../api/use-sim-detail.ts';
import { describeEvent } from '../event-text.ts';
import { type SimDetailSearch, type TraceTopic, traceTopics } from '../search.ts';
import styles from './trace-tab.module.css';

interface TraceTabProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

/** The SIM's history as a timeline: filtered by kind, older entries on demand, or all of it as a file. */
export const TraceTab = ({ iccid, search, onSearchChange }: TraceTabProps) => {
  const { t } = useTranslation();
  const { rows: entries, error, refetch, ...more } = useSimTrace(iccid);
  const topics = search.about ?? [];
  const shown = entries?.filter(({ kind }) => topics.length === 0 || topics.includes(topicOf(kind)));
  const items = useTimelineItems(shown ?? []);
  const toggle = (topic: TraceTopic): void => {
    const next = topics.includes(topic) ? topics.filter((one) => one !== topic) : [...topics, topic];
    onSearchChange({ tab: 'trace', about: next.length > 0 ? next : undefined });
  };
  return (
    <Card
      extra={
        <ExportMenu
          onExport={async (format) =>
            saveFile(await download(endpoints.sim.statusTraceDownload, { query: { iccid, format } }))
          }
          small
          subject={t('simDetail.exports.trace')}
        />
      }
      title={t('simTabs.trace.title')}
    >
      <fieldset className={styles['topics']}>
        <legend className={visuallyHidden}>{t('simTabs.trace.filter')}</legend>
        {traceTopics.map((topic) => (
          <button
            aria-pressed={topics.includes(topic)}
            className={styles['topic']}
            key={topic}
            onClick={() => toggle(topic)}
            type="button"
          >
            {t(`simTabs.trace.topics.${topic}`)}
          </button>
        ))}
      </fieldset>
      {error && !entries ? <Failure error={error} onRetry={() => void refetch()} /> : null}
      {entries || error ? null : <Loading rows={8} />}
      {entries?.length === 0 ? (
        <Empty hint={t('simTabs.trace.noneHint')} title={t('simTabs.trace.none')} />
      ) : null}
      {entries?.length && shown?.length === 0 ? (
        <Empty hint={t('simTabs.trace.noMatchHint')} small title={t('simTabs.trace.noMatch')} />
      ) : null}
      <Timeline label={t('simTabs.trace.title')} moments={items} />
      {entries?.length ? (
        <footer className={styles['footer']}>
          {error && more.hasMore ? <Failure error={error} onRetry={more.loadMore} small /> : null}
          {more.hasMore ? (
            <Button loading={more.isLoadingMore} onClick={more.loadMore}>
              {t('simTabs.trace.older')}
            </Button>
          ) : (
            t('simTabs.trace.end')
          )}
        </footer>
      ) : null}
    </Card>
  );
};

/** Kinds from another version of the server are shown as "other", never dropped. */
const topicOf = (kind: string): TraceTopic => (isSimEventKind(kind) && simEvents[kind].trace) || 'other';

const useTimelineItems = (entries: readonly TraceEntry[]): Moment[] => {
  const { t } = useTranslation();
  const format = useFormat();
  return entries.map((entry) => {
    const { title, detail, exact, tone } = describeEvent(entry, { t, format });
    const note = [
      t('sim.events.by', { actor: entry.actor ?? t('sim.events.system') }),
      entry.task_id && t('simTabs.trace.task', { task: entry.task_id }),
      entry.trace_id && t('simTabs.trace.traceId', { trace: entry.trace_id }),
    ].filter(Boolean);
    return { id: entry.id, at: entry.at, title, detail, exact, tone, note: note.join(' · ') };
  });
};
