import { endpoints, limits } from '@simcube/contract';
import type { RuleSim } from '@simcube/contract/autoflow';
import { Button } from 'antd';
import { useCallback, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, download, endpointQuery } from '../../../lib/api-client/index.ts';
import { saveFile } from '../../../lib/download/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import { ActionMenu } from '../../../ui/action-menu/index.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { useHandler } from '../../../ui/handler/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListPanel, useList, usePageQuery } from '../../../ui/list-screen/index.ts';
import { lifecycleTones, Status } from '../../../ui/status/index.ts';
import { dateTimeWidth, Time } from '../../../ui/time/index.ts';
import { type RuleSearch, ruleSearch } from '../search.ts';

type TabProps = SearchScreenProps<RuleSearch> & { ruleId: string };

/** The SIMs in a rule's current scope. */
export const SimsTab = ({ ruleId, ...address }: TabProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  const { search } = address.search;
  const list = useList({
    name: 'autoflow-sims',
    of: ruleSearch,
    address,
    query: usePageQuery(address.search, (page) =>
      endpointQuery(endpoints.autoflow.listSims, {
        params: { ruleId },
        query: { ...(search === undefined ? {} : { search }), ...page },
      }),
    ),
    columns: useSimColumns(),
  });
  const showReason = useHandler((iccid: string) =>
    address.onSearchChange({ ...address.search, why: iccid }, 'replace'),
  );
  const menuOf = useCallback(
    ({ iccid }: RuleSim) => (
      <ActionMenu
        items={() => [{ key: 'why', label: t('autoflow.why.ask'), onClick: () => showReason(iccid) }]}
        label={t('autoflow.menu', { name: iccid })}
      />
    ),
    [t, showReason],
  );
  return (
    <ListPanel
      empty={{ title: t('autoflow.simsEmpty') }}
      label={t('autoflow.tabs.sims')}
      list={list}
      noMatch={{ title: t('autoflow.simsNoMatch'), hint: t('autoflow.noMatchHint') }}
      quickSearch={{ placeholder: t('autoflow.simsSearch'), maxLength: limits.autoflow.search }}
      rowActions={menuOf}
      rowHref={({ iccid }) => `/${language}/simCard/${encodeURIComponent(iccid)}`}
      rowKey={({ iccid }) => iccid}
      tools={<Download ruleId={ruleId} />}
    />
  );
};

const useSimColumns = (): Column<RuleSim>[] => {
  const { t } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'sim',
        title: t('autoflow.runs.sim'),
        width: 210,
        fixed: true,
        phone: 'heading',
        render: ({ iccid }, href) => (
          <Link href={href}>
            <Identifier emphasis label="ICCID" value={iccid} />
          </Link>
        ),
      },
      {
        id: 'device',
        title: t('autoflow.fields.device'),
        width: 190,
        phone: 'line',
        render: ({ device_name: name }) => name ?? '—',
      },
      {
        id: 'status',
        title: t('autoflow.fields.status'),
        width: 130,
        phone: 'line',
        render: ({ lifecycle }) => (
          <Status tone={lifecycleTones[lifecycle]}>{t(`sim.lifecycle.${lifecycle}`)}</Status>
        ),
      },
      {
        id: 'imeis',
        title: t('autoflow.fields.imeis'),
        width: 250,
        initiallyHidden: true,
        render: ({ imeis }) => imeis?.join(', ') ?? '—',
      },
      {
        id: 'fired',
        title: t('autoflow.fields.lastFired'),
        width: dateTimeWidth,
        phone: 'line',
        render: ({ last_fired_at: at }) => <Time at={at} />,
      },
    ],
    [t],
  );
};

const Download = ({ ruleId }: { ruleId: string }) => {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const save = async (): Promise<void> => {
    setBusy(true);
    await attempt(async () =>
      saveFile(await download(endpoints.autoflow.downloadSims, { params: { ruleId } })),
    );
    setBusy(false);
  };
  return (
    <Button loading={busy} onClick={() => void save()}>
      {t('autoflow.download')}
    </Button>
  );
};
