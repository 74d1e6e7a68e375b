import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useOfferedCommands } from '../../lib/commands/index.ts';
import { useFormat } from '../../lib/format/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { useSession } from '../../lib/session/index.ts';
import { Page } from '../../ui/page/index.ts';
import { SidePanelLayout } from '../../ui/side-panel/index.ts';
import { Tabs } from '../../ui/tabs/index.ts';
import { CallDetails } from './calls/call-details.tsx';
import { CallsPanel } from './calls/calls.panel.tsx';
import { DeliveriesPanel, WebhookHealthHeader } from './deliveries/deliveries.panel.tsx';
import { DeliveryDetails } from './deliveries/delivery-details.tsx';
import { ResendMany } from './deliveries/resend.tsx';
import styles from './developer.module.css';
import { Facts } from './facts.tsx';
import { KeysPanel, NewKeyButton } from './keys/keys.panel.tsx';
import { useKeys } from './keys/use-keys.ts';
import { mayWrite } from './may-write.ts';
import { type DeveloperSearch, type DeveloperTab, developerSearch, developerTabs } from './search.ts';
import { acceptsEvents, useTest, useWebhook } from './webhook/use-webhook.ts';
import { WebhookPanel } from './webhook/webhook.panel.tsx';

/** Access for programs: keys, the webhook, and the logs of both directions. */
export const DeveloperScreen = (address: SearchScreenProps<DeveloperSearch>) => {
  const { search, onSearchChange } = address;
  const { t } = useTranslation();
  const { count } = useFormat();
  // Permissions may change while the page is open: re-render the actions.
  useSession('rolesInfo');
  const { tab = 'keys', call, delivery } = search;
  const keys = useKeys().data?.totalCount ?? undefined;
  const go = (to: DeveloperTab): void => onSearchChange({ tab: to === 'keys' ? undefined : to }, 'push');
  const createKey = (): void => onSearchChange({ make: 'key' }, 'push');
  const close = (): void => onSearchChange(developerSearch.withoutOverlays(search), 'replace');
  useDeveloperCommands(createKey);
  const openPanel = (): ((closable: boolean) => React.ReactNode) | undefined => {
    if (tab === 'calls' && call !== undefined)
      return (closable) => <CallDetails key={call} onClose={closable ? close : undefined} traceId={call} />;
    if (tab === 'deliveries' && delivery !== undefined)
      return (closable) => (
        <DeliveryDetails id={delivery} key={delivery} onClose={closable ? close : undefined} />
      );
    return undefined;
  };
  return (
    <SidePanelLayout
      label={t(tab === 'calls' ? 'developer.calls.one' : 'developer.deliveries.one')}
      onClose={close}
      panel={openPanel()}
      width={440}
    >
      <Page
        actions={<Actions onCreateKey={createKey} search={search} tab={tab} />}
        facts={<Facts search={search} tab={tab} />}
        fill={tab !== 'webhook'}
        title={t('developer.title')}
      >
        <Tabs
          above={
            tab === 'deliveries' ? (
              <div className={styles['above']}>
                <WebhookHealthHeader onSettings={() => go('webhook')} />
              </div>
            ) : null
          }
          fill={tab !== 'webhook'}
          onChange={go}
          tabs={developerTabs.map((name) => ({
            name,
            label: t(`developer.tabs.${name}`),
            count: name === 'keys' && keys !== undefined ? count(keys) : undefined,
          }))}
          value={tab}
        >
          <Panel {...address} tab={tab} />
        </Tabs>
      </Page>
    </SidePanelLayout>
  );
};

const Panel = ({ tab, ...address }: SearchScreenProps<DeveloperSearch> & { tab: DeveloperTab }) => {
  switch (tab) {
    case 'keys':
      return <KeysPanel {...address} />;
    case 'webhook':
      return <WebhookPanel />;
    case 'calls':
      return <CallsPanel {...address} />;
    case 'deliveries':
      return <DeliveriesPanel {...address} />;
  }
};

interface ActionsProps {
  tab: DeveloperTab;
  search: DeveloperSearch;
  onCreateKey: () => void;
}

const Actions = ({ tab, search, onCreateKey }: ActionsProps) => {
  switch (tab) {
    case 'keys':
      return <NewKeyButton onCreate={onCreateKey} />;
    case 'webhook':
      return <TestButton />;
    case 'calls':
      return null;
    case 'deliveries':
      return (
        <>
          <ResendMany search={search} />
          <TestButton />
        </>
      );
  }
};

const TestButton = () => {
  const { t } = useTranslation();
  const test = useTest();
  const webhook = useWebhook().data?.data;
  if (!mayWrite()) return null;
  return (
    <Button disabled={!acceptsEvents(webhook)} onClick={test}>
      {t('developer.webhook.test')}
    </Button>
  );
};

/** The actions of this page for the palette. */
const useDeveloperCommands = (createKey: () => void): void => {
  const { t } = useTranslation();
  const test = useTest();
  const webhook = useWebhook().data?.data;
  useOfferedCommands({
    heading: t('developer.title'),
    commands: mayWrite()
      ? [
          { key: 'make', label: t('developer.keys.new'), run: createKey },
          ...(acceptsEvents(webhook) ? [{ key: 'test', label: t('developer.webhook.test'), run: test }] : []),
        ]
      : [],
  });
};
