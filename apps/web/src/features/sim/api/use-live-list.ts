import { endpoints } from '@simcube/contract';
import type { Connection, SimRow } from '@simcube/contract/sim';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { Answer } from '../../../lib/api-client/index.ts';
import { useLive } from '../../../lib/live/index.ts';
import { usePaced } from '../../../ui/pace/index.ts';
import { withNews } from './live-rows.ts';

/** Rows change on screen this often at most. */
const showEveryMs = 500;
/** What only the server knows (network, address, order) is read again this often at most while there is news of a row on screen. */
const settleEveryMs = 4000;

/** Keeps the list on screen true: news is written into the page that is shown, without reading it again. */
export const useLiveList = (rows: readonly SimRow[] | undefined): void => {
  const client = useQueryClient();
  const bytes = useRef(new Map<string, number>());
  const connections = useRef(new Map<string, Connection>());
  const onScreen = (iccid: string): boolean => rows?.some((row) => row.iccid === iccid) ?? false;

  const show = usePaced(() => {
    const news = { bytes: bytes.current, connections: connections.current };
    bytes.current = new Map();
    connections.current = new Map();
    client.setQueriesData<Answer<SimRow[]>>(
      { queryKey: [endpoints.sim.list.id], type: 'active' },
      (answer) => {
        if (!answer) return answer;
        const next = withNews(answer.data, news);
        return next === answer.data ? answer : { ...answer, data: [...next] };
      },
    );
  }, showEveryMs);

  const readAgain = (): void => {
    void client.invalidateQueries({ queryKey: [endpoints.sim.list.id] });
    void client.invalidateQueries({ queryKey: [endpoints.sim.listCounts.id] });
    void client.invalidateQueries({ queryKey: [endpoints.dashboard.lifecycleCount.id] });
  };
  const settle = usePaced(readAgain, settleEveryMs);

  useLive('sim.usage', ({ sims }) => {
    const news = sims.filter(({ iccid }) => onScreen(iccid));
    for (const { iccid, bytes: added } of news) {
      bytes.current.set(iccid, (bytes.current.get(iccid) ?? 0) + added);
    }
    if (news.length > 0) show();
  });
  useLive('sim.connection', ({ iccid, status }) => {
    if (!onScreen(iccid)) return;
    connections.current.set(iccid, status);
    show();
    settle();
  });
  useLive('sim.event', ({ iccid }) => {
    if (onScreen(iccid)) settle();
  });
  useLive('sim.changed', settle);
  // Names, notes and tags change without an event of the SIM's own.
  useLive('task.progress', ({ type }) => {
    if (type.startsWith('sim-')) settle();
  });
  useLive('stream.reset', readAgain);
};
