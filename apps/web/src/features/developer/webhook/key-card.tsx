import { CopyOutlined } from '@ant-design/icons';
import { endpoints } from '@simcube/contract';
import type { Webhook } from '@simcube/contract/webhook';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { attempt, call } from '../../../lib/api-client/index.ts';
import { toast } from '../../../lib/toast/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { useConfirm } from '../../../ui/dialog/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { Time } from '../../../ui/time/index.ts';
import styles from '../developer.module.css';
import { mayWrite } from '../may-write.ts';
import { ownWebhook, useRefetchWebhook } from './use-webhook.ts';

/** The key that requests are signed with, hidden until revealed; after it is replaced, the previous one stays valid for a day. */
export const KeyCard = ({ webhook }: { webhook: Webhook }) => {
  const { t } = useTranslation();
  const copy = useCopy();
  const confirm = useConfirm();
  const refetchWebhook = useRefetchWebhook();
  const [shown, setShown] = useState(false);
  const { key } = webhook;
  const renew = (): void =>
    void attempt(async () => {
      const confirmation = {
        title: t('developer.notificationKey.renewTitle'),
        body: t('developer.notificationKey.renewText'),
        action: t('developer.notificationKey.renew'),
      };
      if (key !== null && !(await confirm(confirmation))) return;
      await call(endpoints.webhook.renewKey, ownWebhook());
      toast.success(t('developer.notificationKey.renewed'));
      refetchWebhook();
    });
  return (
    <Card
      extra={
        mayWrite() ? (
          <Button onClick={renew} size="small">
            {t(key === null ? 'developer.notificationKey.make' : 'developer.notificationKey.renew')}
          </Button>
        ) : null
      }
      title={t('developer.notificationKey.title')}
    >
      <div className={styles['stack']}>
        <p className={styles['words']}>{t('developer.notificationKey.hint')}</p>
        {key === null ? (
          <p className={styles['small']}>{t('developer.notificationKey.none')}</p>
        ) : (
          <div className={styles['line']}>
            <code className={styles['url']}>{shown ? key : maskedKey(key)}</code>
            <Button aria-pressed={shown} onClick={() => setShown(!shown)} size="small">
              {t(shown ? 'developer.notificationKey.hide' : 'developer.notificationKey.show')}
            </Button>
            <Button icon={<CopyOutlined aria-hidden="true" />} onClick={() => copy(key)} size="small">
              {t('developer.copy')}
            </Button>
          </div>
        )}
        {key === null ? null : (
          <DescriptionList
            items={[
              {
                term: t('developer.keys.id'),
                value: <Identifier copy label={t('developer.keys.id')} value={webhook.id} />,
              },
              { term: t('developer.keys.created'), value: <Time at={webhook.key_created_at} /> },
              ...(webhook.former_key_until === null
                ? []
                : [
                    {
                      term: t('developer.notificationKey.former'),
                      value: <Time at={webhook.former_key_until} />,
                    },
                  ]),
            ]}
          />
        )}
      </div>
    </Card>
  );
};

/** Enough to distinguish two keys, too little to sign with: `whsec_…7f2c`. */
export const maskedKey = (key: string): string => `whsec_…${key.slice(-4)}`;
