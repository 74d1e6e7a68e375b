import { endpoints } from '@simcube/contract';
import { type SmsSent, smsEncodingNames } from '@simcube/contract/sms';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { DescriptionList } from '../../../ui/description-list/index.ts';
import { Dialog, DialogContent } from '../../../ui/dialog/index.ts';
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

/**
 * Confirms sending, which can't be undone: recipients, text, number of parts, and the remaining quota. If other SIMs would be reached
 * by then, nothing is sent and the new preview is confirmed. That goes to the SIMs found when it is sent, as it says: a filter on live
 * values, such as all online SIMs, finds others every second.
 */
export const ConfirmSend = (props: ConfirmSendProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={props.onClose} open title={t('sms.confirm.title')} width={520}>
      <Confirmation {...props} />
    </Dialog>
  );
};

const Confirmation = ({ order, onSent, onClose }: ConfirmSendProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { sending, refusal, send } = useSend(onSent);
  const { data, error, refetch } = useFreshQuery<SmsSent>({
    key: ['sms.preview', order],
    request: async (signal) =>
      (await call(endpoints.sms.send, { body: { ...order, preview: true }, signal, announce: false })).data,
  });
  const sims = data?.preview?.changing ?? 0;
  const [outdatedSims, setOutdatedSims] = useState<number>();
  const confirm = (): void => {
    setOutdatedSims(undefined);
    send(order, {
      preview: outdatedSims === undefined ? data?.preview : undefined,
      onOutdated: () => void refetch().then(({ isSuccess }) => setOutdatedSims(isSuccess ? sims : undefined)),
    });
  };
  const measure = data?.measure;
  const remaining = measure?.remaining ?? null;
  const exceedsQuota =
    measure !== undefined && measure !== null && remaining !== null && measure.total_parts > remaining;
  return (
    <DialogContent
      actions={
        <Button disabled={sims === 0 || exceedsQuota} loading={sending} onClick={confirm} type="primary">
          {data ? t('sms.compose.sendTo', { count: sims, shown: count(sims) }) : t('sms.compose.send')}
        </Button>
      }
      onCancel={onClose}
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
      <Refusal
        reason={
          outdatedSims === undefined
            ? refusal
            : t('sms.confirm.outdated', { before: count(outdatedSims), now: count(sims) })
        }
      />
    </DialogContent>
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
  // A preview names only the first refused SIMs of each reason: beyond that, anyone might be among the others.
  const areAllNamed = refused.every(({ count: sims, iccids }) => iccids.length === sims);
  const iccids =
    'iccids' in selection && areAllNamed ? selection.iccids.filter((iccid) => !refusedIccids.has(iccid)) : [];
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
