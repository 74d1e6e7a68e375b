import { limits } from '@simcube/contract';
import type { WebhookDelivery } from '@simcube/contract/webhook';
import { Button } from 'antd';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { ListPanel, QuickCounts, useFilterBuilder, useList } from '../../../ui/list-screen/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { momentWidth, Time } from '../../../ui/time/index.ts';
import { loggedTypes } from '../event-names.ts';
import { type DeveloperSearch, developerSearch } from '../search.ts';
import { HealthCard } from '../webhook/health-card.tsx';
import { useWebhook } from '../webhook/use-webhook.ts';
import { DeliveryProblem } from '../webhook/webhook.panel.tsx';
import { Outcome, ResponseStatus, useDurationText } from './outcome.tsx';
import { nameOfSubject } from './subject.ts';
import { useCounts, useDeliveries } from './use-deliveries.ts';

/** Notifications sent to the webhook, and their outcomes. */
export const DeliveriesPanel = (address: SearchScreenProps<DeveloperSearch>) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'notifications',
    of: developerSearch,
    address,
    query: useDeliveries(address.search),
    columns: useDeliveryColumns({ isPanelOpen: address.search.delivery !== undefined }),
  });
  const by = useFilterBuilder(list);
  return (
    <ListPanel
      counts={<States list={list} />}
      current={list.search.delivery}
      empty={{ title: t('developer.deliveries.empty'), hint: t('developer.deliveries.emptyHint') }}
      filters={[
        by.instants(['from', 'to'], { id: 'period', label: t('developer.period') }),
        by.some('type', {
          label: t('developer.deliveries.event'),
          options: loggedTypes.map((value) => ({ value, label: value })),
        }),
      ]}
      label={t('developer.tabs.deliveries')}
      list={list}
      noMatch={{ title: t('developer.deliveries.noMatch'), hint: t('developer.noMatchHint') }}
      quickSearch={{ placeholder: t('developer.deliveries.search'), maxLength: limits.webhooks.search }}
      rowHref={({ id: delivery }) => list.hrefWith({ delivery })}
      rowKey={({ id }) => id}
    />
  );
};

/** Above the tabs' list: the webhook with its health, and a link to its settings. */
export const WebhookHealthHeader = ({ onSettings }: { onSettings: () => void }) => {
  const { t } = useTranslation();
  const webhook = useWebhook().data?.data;
  if (!webhook || webhook.url === null) return null;
  return (
    <>
      <HealthCard
        extra={
          <Button onClick={onSettings} size="small" type="link">
            {t('developer.deliveries.settings')}
          </Button>
        }
        webhook={webhook}
      />
      <DeliveryProblem webhook={webhook} />
    </>
  );
};

type StatesProps = {
  list: { search: DeveloperSearch; onFilter: (filter: Partial<DeveloperSearch>) => void };
};

const States = ({ list: { search, onFilter } }: StatesProps) => {
  const { t } = useTranslation();
  const { data, isPlaceholderData } = useCounts(search);
  const counts = data?.data;
  const one = (value: 'delivered' | 'waiting' | 'failed', tone: 'teal' | 'orange' | 'red') => ({
    value,
    tone,
    label: t(`developer.deliveries.states.${value}`),
    count: counts?.[value],
  });
  return (
    <QuickCounts
      all={{
        label: t('developer.deliveries.all'),
        count: counts ? counts.delivered + counts.waiting + counts.failed : undefined,
      }}
      counts={[one('delivered', 'teal'), one('waiting', 'orange'), one('failed', 'red')]}
      label={t('developer.deliveries.byState')}
      onChange={(state) => onFilter({ state })}
      stale={isPlaceholderData}
      value={search.state}
    />
  );
};

/** @param isPanelOpen whether a notification is open next to the list: it shows the content of the last columns, which are hidden */
const useDeliveryColumns = ({ isPanelOpen }: { isPanelOpen: boolean }): Column<WebhookDelivery>[] => {
  const { t } = useTranslation();
  const { count } = useFormat();
  return useMemo(
    () => [
      {
        id: 'time',
        title: t('developer.time'),
        width: momentWidth,
        fixed: true,
        phone: 'line',
        render: ({ created_at: at }, href) => (
          <Link href={href}>
            <Time at={at} style="moment" />
          </Link>
        ),
      },
      {
        id: 'event',
        title: t('developer.deliveries.event'),
        width: 180,
        phone: 'heading',
        render: ({ type }) => <code>{type}</code>,
      },
      {
        id: 'about',
        title: t('developer.deliveries.about'),
        width: 150,
        phone: 'line',
        render: ({ about }) => (about === null ? '—' : <SafeText oneLine text={nameOfSubject(about)} />),
      },
      {
        id: 'state',
        title: t('developer.deliveries.state'),
        width: 220,
        phone: 'aside',
        render: (delivery) => <Outcome {...delivery} />,
      },
      {
        id: 'tries',
        title: t('developer.deliveries.tries'),
        width: 88,
        align: 'end',
        initiallyHidden: isPanelOpen,
        render: ({ attempts }) => count(attempts),
      },
      {
        id: 'answer',
        title: t('developer.deliveries.answer'),
        width: 156,
        initiallyHidden: isPanelOpen,
        render: (delivery) => <LastResponse {...delivery} />,
      },
    ],
    [t, count, isPanelOpen],
  );
};

const LastResponse = (delivery: WebhookDelivery) => {
  const span = useDurationText();
  return (
    <>
      <ResponseStatus {...delivery} /> {delivery.duration_ms === null ? null : span(delivery.duration_ms)}
    </>
  );
};
