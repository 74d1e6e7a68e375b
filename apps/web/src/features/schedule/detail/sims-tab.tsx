import { endpoints } from '@simcube/contract';
import type { Schedule, ScheduleSim } from '@simcube/contract/schedule';
import { Button } from 'antd';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, download, endpointQuery } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListPanel, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { Time } from '../../../ui/time/index.ts';
import { type ScheduleSearch, scheduleSearch } from '../search.ts';

type SimsTabProps = SearchScreenProps<ScheduleSearch> & { schedule: Schedule };

/** The SIMs of a schedule: whether the next run reaches them, and the outcome of the last message. */
export const SimsTab = ({ schedule: { id: scheduleId, next_run_at: nextRun }, ...address }: SimsTabProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const list = useList({
    name: 'schedule-sims',
    of: scheduleSearch,
    address,
    query: usePageQuery(address.search, (page) =>
      endpointQuery(endpoints.schedule.listSims, { body: { scheduleId, ...page } }),
    ),
    columns: useSimColumns(nextRun !== null),
  });
  return (
    <ListPanel
      empty={{ title: t('schedule.simsEmpty') }}
      label={t('schedule.simsLabel')}
      list={list}
      rowHref={({ iccid, own }) => (own ? `/${language}/simCard/${encodeURIComponent(iccid)}` : '')}
      rowKey={({ iccid }) => iccid}
      tools={<ExportButton scheduleId={scheduleId} />}
    />
  );
};

const useSimColumns = (hasNextRun: boolean): Column<ScheduleSim>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'sim',
        title: t('schedule.fields.sim'),
        width: 210,
        fixed: true,
        phone: 'heading',
        render: ({ iccid, own }, href) =>
          own ? (
            <Link href={href}>
              <Identifier emphasis label="ICCID" value={iccid} />
            </Link>
          ) : (
            <Identifier emphasis label="ICCID" value={iccid} />
          ),
      },
      {
        id: 'device',
        title: t('schedule.fields.device'),
        width: 180,
        phone: 'line',
        render: ({ device_name: name }) => name ?? '—',
      },
      {
        id: 'reached',
        title: t('schedule.fields.reached'),
        width: 290,
        phone: 'line',
        render: ({ message }) => (hasNextRun ? (message ?? t('schedule.willGet')) : '—'),
      },
      {
        id: 'message',
        title: t('schedule.fields.message'),
        width: 260,
        phone: 'aside',
        render: ({ last_message: last }) =>
          last === null ? (
            '—'
          ) : (
            <>
              <Time at={last.at} /> · {t(`sms.statuses.${last.status}`)}
            </>
          ),
      },
    ],
    [t, hasNextRun],
  );
};

const ExportButton = ({ scheduleId }: { scheduleId: string }) => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () =>
      saveFile(await download(endpoints.schedule.downloadSims, { query: { scheduleId } })),
    );
    setBusy(false);
  };
  return (
    <Button loading={busy} onClick={() => void save()}>
      {t('schedule.download')}
    </Button>
  );
};
