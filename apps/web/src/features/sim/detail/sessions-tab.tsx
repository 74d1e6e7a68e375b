import type { endpoints, ResponseOf } from '@simcube/contract';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { durationText, useFormat } from '../../../lib/format/index.ts';
import type { OnSearchChange } from '../../../lib/search-params/fields.ts';
import { pagesSearch } from '../../../lib/search-params/list-search.ts';
import { Bytes } from '../../../ui/bytes/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { ListTable, useList } from '../../../ui/list-screen/index.ts';
import { Status } from '../../../ui/status/index.ts';
import { dateSecondsWidth, Time } from '../../../ui/time/index.ts';
import { useSimSessions } from '../api/use-sim-detail.ts';
import { EndCause } from '../components/end-cause.tsx';
import { SessionTab } from '../components/session-tab.tsx';
import type { SimDetailSearch } from '../search.ts';
import { networkText } from '../sim-display.ts';
import { Section } from './section.tsx';

import styles from './tab.module.css';

type Session = ResponseOf<typeof endpoints.sim.sessions>[number];

interface SessionsTabProps {
  iccid: string;
  search: SimDetailSearch;
  onSearchChange: OnSearchChange<SimDetailSearch>;
}

/** The current session, and previous ones. */
export const SessionsTab = ({ iccid, ...address }: SessionsTabProps) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'sim-sessions',
    of: pagesSearch,
    address,
    query: useSimSessions(iccid, address.search),
    columns: useSessionColumns(),
  });
  return (
    <div className={styles['tab']}>
      <SessionTab iccid={iccid} />
      <Section title={t('simTabs.sessions.title')}>
        <ListTable
          empty={{ title: t('simTabs.sessions.none'), hint: t('simTabs.sessions.noneHint') }}
          label={t('simTabs.sessions.label')}
          list={list}
          rowKey={({ id, started_at }) => `${id} ${started_at}`}
        />
      </Section>
    </div>
  );
};

const useSessionColumns = (): Column<Session>[] => {
  const { t } = useTranslation();
  const format = useFormat();
  return useMemo(() => {
    const identifierCell = (label: string, value: string | null) =>
      value ? <Identifier label={label} value={value} /> : '—';
    return [
      {
        id: 'started',
        title: t('simTabs.sessions.started'),
        width: dateSecondsWidth,
        fixed: true,
        phone: 'heading',
        render: ({ started_at: at }) => <Time at={at} style="dateSeconds" />,
      },
      {
        id: 'duration',
        title: t('simTabs.sessions.duration'),
        width: 100,
        phone: 'aside',
        render: ({ started_at: from, stopped_at: to }) =>
          to === null ? (
            <Status live tone="teal">
              {t('simTabs.sessions.open')}
            </Status>
          ) : (
            <span title={format.exact(to)}>{durationText((Date.parse(to) - Date.parse(from)) / 1000)}</span>
          ),
      },
      {
        id: 'network',
        title: t('simTabs.sessions.network'),
        width: 150,
        phone: 'line',
        render: ({ network }) => (network ? networkText(network) : '—'),
      },
      {
        id: 'down',
        title: t('simTabs.sessions.down'),
        width: 90,
        align: 'end',
        phone: 'line',
        render: ({ down_bytes: bytes }) => <Bytes value={bytes} />,
      },
      {
        id: 'up',
        title: t('simTabs.sessions.up'),
        width: 90,
        align: 'end',
        phone: 'line',
        render: ({ up_bytes: bytes }) => <Bytes value={bytes} />,
      },
      { id: 'apn', title: t('sim.fields.apn'), width: 100, render: ({ apn }) => apn ?? '—' },
      {
        id: 'ip',
        title: t('sim.fields.ip'),
        width: 124,
        render: ({ ip }) => identifierCell(t('sim.fields.ip'), ip),
      },
      {
        id: 'imei',
        title: t('sim.session.imei'),
        width: 150,
        render: ({ imei }) => identifierCell(t('sim.session.imei'), imei),
      },
      {
        id: 'cell',
        title: t('sim.session.cell'),
        width: 170,
        initiallyHidden: true,
        render: ({ cell }) => identifierCell(t('sim.session.cell'), cell),
      },
      {
        id: 'cause',
        title: t('simTabs.sessions.cause'),
        width: 180,
        phone: 'line',
        phoneWhen: ({ terminate_cause: cause }) => cause !== null,
        render: ({ terminate_cause: cause }) => <EndCause cause={cause} />,
      },
      {
        id: 'session',
        title: t('sim.session.id'),
        width: 180,
        initiallyHidden: true,
        render: ({ id }) => <Identifier copy label={t('sim.session.id')} value={id} />,
      },
    ];
  }, [t, format]);
};
