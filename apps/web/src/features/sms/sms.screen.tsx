import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import type { SearchScreenProps } from '../../lib/search-params/fields.ts';
import { session } from '../../lib/session/index.ts';
import { ButtonLink } from '../../ui/button-link/index.ts';
import { Page } from '../../ui/page/index.ts';
import { Tabs } from '../../ui/tabs/index.ts';
import { maySend, useCanSend } from './api.ts';
import { Composer } from './composer/composer.tsx';
import { ExportMessages } from './list/export-messages.tsx';
import { MessagesPanel } from './list/messages.panel.tsx';
import { type MessageCount, useDeliveryRate, useTabCounts } from './list/use-counts.ts';
import { useLiveMessages, useSmsFilterOf } from './list/use-messages.ts';
import { OpenConversation, useMessageNavigation } from './open-conversation.tsx';
import { QuotaLeft } from './quota-left.tsx';
import { ScheduledPanel } from './scheduled/scheduled.panel.tsx';
import { type SmsSearch, smsSearch } from './search.ts';
import styles from './sms.module.css';
import { smsTabs } from './tabs.ts';

/** Messages to and from SIMs, and the composer. */
export const SmsScreen = (address: SearchScreenProps<SmsSearch>) => {
  const { search, onSearchChange } = address;
  const { t } = useTranslation();
  const canSend = useCanSend();
  const { count, language } = useFormat();
  const counts = useTabCounts(search);
  const countLabel = (messageCount: MessageCount | undefined): string | undefined =>
    messageCount && `${count(messageCount.total)}${messageCount.isAtLeast ? '+' : ''}`;
  const navigation = useMessageNavigation();
  const filter = useSmsFilterOf()(search);
  useLiveMessages();
  const isScheduled = search.tab === 'scheduled';
  const canWrite = maySend() && canSend === true;
  const setCompose = (key: string | undefined) => onSearchChange({ ...search, compose: key }, 'push');
  const close = () => onSearchChange(smsSearch.withoutOverlays(search), 'replace');
  return (
    <OpenConversation
      message={search.message}
      onClose={close}
      onMessage={(message) => onSearchChange({ ...search, message }, 'replace')}
      navigation={navigation}
    >
      <Page
        actions={
          <>
            {isScheduled ? null : <ExportMessages filter={filter} />}
            {/* Until it is known whether the organisation may send, the button only keeps its place. */}
            {maySend() && canSend !== false ? (
              <Button
                disabled={search.compose !== undefined}
                onClick={() => setCompose('open')}
                style={canSend === undefined ? { visibility: 'hidden' } : undefined}
                type={isScheduled ? 'default' : 'primary'}
              >
                {t('sms.compose.title')}
              </Button>
            ) : null}
            {isScheduled && session.can('cube-schedule-sms', 'operate') ? (
              <ButtonLink href={`/${language}/scheduleSmsAdd`} type="primary">
                {t('schedule.new')}
              </ButtonLink>
            ) : null}
          </>
        }
        facts={<QuotaLeft />}
        fill
        title={t('sms.title')}
      >
        <Tabs
          above={
            canWrite && search.compose !== undefined ? (
              <div className={styles['compose']}>
                <Composer
                  selectionKey={search.compose === 'open' ? undefined : search.compose}
                  key={search.compose}
                  onClose={() => setCompose(undefined)}
                  onSent={({ message }) =>
                    onSearchChange({ ...search, compose: undefined, message: message?.id }, 'replace')
                  }
                />
              </div>
            ) : null
          }
          extra={search.tab === 'replies' || isScheduled ? null : <DeliveryRate search={search} />}
          fill
          onChange={(tab) =>
            onSearchChange(
              {
                ...smsSearch.withoutOverlays(search),
                tab: tab === smsTabs[0] ? undefined : tab,
                page: undefined,
              },
              'push',
            )
          }
          tabs={smsTabs.map((name) => ({
            name,
            label: t(`sms.tabs.${name}`),
            count: countLabel(counts[name]),
          }))}
          value={search.tab ?? smsTabs[0]}
        >
          <div className={styles['panels']}>
            {maySend() && canSend === false ? (
              <p className={styles['notice']}>{t('sms.cannotSend')}</p>
            ) : null}
            {isScheduled ? (
              <ScheduledPanel {...address} />
            ) : (
              <MessagesPanel {...address} onRows={navigation.setIds} />
            )}
          </div>
        </Tabs>
      </Page>
    </OpenConversation>
  );
};

/** How many were sent in the period, and how many were delivered. */
const DeliveryRate = ({ search }: { search: SmsSearch }) => {
  const { t } = useTranslation();
  const { count, percent } = useFormat();
  const rate = useDeliveryRate(search);
  if (!rate) return null;
  return (
    <span className={styles['delivered']}>
      {t('sms.sent', { count: rate.sent, shown: count(rate.sent) })}
      {' · '}
      <b>{t('sms.delivered', { share: percent(rate.share, 1) })}</b>
    </span>
  );
};
