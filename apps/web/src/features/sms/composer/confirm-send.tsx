import { endpoints } from '@simcube/contract';
import { type SmsSent, smsEncodingNames } from '@simcube/contract/sms';
import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Failure, Refusal } from '../../../ui/failure/index.ts';
import { Loading } from '../../../ui/loading/index.ts';
import { useFreshQuery } from '../../../ui/query/index.ts';
import { SafeText } from '../../../ui/safe-text/index.ts';
import { type SendRequest, useSend } from '../api.ts';
import styles from './composer.module.css';

interface ConfirmSendProps {
  order: SendRequest;
  onSent: (sent: SmsSent) => void;
  onClose: () => void;
}

/** Confirms sending, which can't be undone: recipients, text, number of parts, and the remaining quota. */
export const ConfirmSend = ({ order, onSent, onClose }: ConfirmSendProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { sending, refusal, send } = useSend(onSent);
  const { data, error, refetch } = useFreshQuery<SmsSent>({
    key: ['sms.preview', order],
    request: async (signal) =>
      (await call(endpoints.sms.send, { body: { ...order, preview: true }, signal, announce: false })).data,
  });
  const sims = data?.preview?.changing ?? 0;
  const measure = data?.measure;
  const remaining = measure?.remaining ?? null;
  const exceedsQuota =
    measure !== undefined && measure !== null && remaining !== null && measure.total_parts > remaining;
  return (
    <Dialog
      footer={
        <>
          <Button disabled={sending} onClick={onClose}>
            {t('common.actions.cancel')}
          </Button>
          <Button
            disabled={sims === 0 || exceedsQuota}
            loading={sending}
            onClick={() => send(order)}
            type="primary"
          >
            {t('sms.compose.sendTo', { count: sims, shown: count(sims) })}
          </Button>
        </>
      }
      persistent={sending}
      onClose={onClose}
      open
      title={t('sms.confirm.title')}
      width={520}
    >
      {error ? <Failure error={error} onRetry={() => void refetch()} small /> : null}
      {data?.preview && measure ? (
        <div className={styles['confirm']}>
          <blockquote className={styles['quote']}>
            <SafeText text={order.content} />
          </blockquote>
          <DescriptionList
            items={[
              { term: t('sms.confirm.to'), value: <Recipients order={order} preview={data.preview} /> },
              {
                term: t('sms.confirm.cost'),
                value: t('sms.confirm.parts', {
                  count: measure.total_parts,
                  shown: count(measure.total_parts),
                  sims: count(sims),
                  parts: count(measure.parts),
                  encoding: smsEncodingNames[measure.encoding] ?? t('sms.binary'),
                }),
              },
              {
                term: t('sms.confirm.quota'),
                value:
                  remaining === null ? (
                    t('sms.compose.noLimit')
                  ) : (
                    <span className={exceedsQuota ? styles['error'] : undefined}>
                      {exceedsQuota
                        ? t('sms.confirm.short', { shown: count(remaining) })
                        : t('sms.confirm.left', {
                            before: count(remaining),
                            after: count(remaining - measure.total_parts),
                          })}
                    </span>
                  ),
              },
            ]}
          />
          <p className={styles['words']}>{t('sms.confirm.final')}</p>
        </div>
      ) : error ? null : (
        <Loading rows={3} />
      )}
      <Refusal reason={refusal} />
    </Dialog>
  );
};

const maxNamed = 3;

/** The first recipients by ICCID, their number, and those left out. */
const Recipients = ({
  order: { selection },
  preview: { changing, refused },
}: {
  order: SendRequest;
  preview: NonNullable<SmsSent['preview']>;
}) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const refusedIccids = new Set(refused.flatMap(({ iccids }) => iccids));
  const iccids = 'iccids' in selection ? selection.iccids.filter((iccid) => !refusedIccids.has(iccid)) : [];
  const first = iccids.slice(0, maxNamed);
  const otherCount = changing - first.length;
  const names = [
    ...first,
    ...(otherCount > 0
      ? [
          t(first.length > 0 ? 'sms.confirm.others' : 'sms.confirm.sims', {
            count: otherCount,
            shown: count(otherCount),
          }),
        ]
      : []),
  ];
  return (
    <div className={styles['cost']}>
      <span>{new Intl.ListFormat(language, { type: 'conjunction' }).format(names)}</span>
      {refused.map(({ code, message, count: sims }) => (
        <span key={code}>
          {t('sms.compose.refused', { count: sims, shown: count(sims), reason: message })}
        </span>
      ))}
    </div>
  );
};
