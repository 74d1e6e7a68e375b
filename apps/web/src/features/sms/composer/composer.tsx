import { CloseOutlined } from '@ant-design/icons';
import type { SmsSent } from '@simcube/contract/sms';
import { useRouter } from '@tanstack/react-router';
import { Button } from 'antd';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { useFocusRestore } from '../../../ui/focus/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { measureOf, TextField } from '../../message-text/index.ts';
import { newScheduleHref, RecipientFields, RecipientMethods, useRecipients } from '../../schedule/index.ts';
import { findSelection } from '../stored-selections.ts';
import styles from './composer.module.css';
import { ConfirmSend } from './confirm-send.tsx';
import { Cost } from './cost.tsx';
import { useRecipientPreview } from './use-recipient-preview.ts';

interface ComposerProps {
  /** The key under which SIMs chosen elsewhere are stored, if any. */
  selectionKey: string | undefined;
  onSent: (sent: SmsSent) => void;
  onClose: () => void;
}

/** Writes a message: recipients, text, and its cost before it is sent. */
export const Composer = ({ selectionKey, onSent, onClose }: ComposerProps) => {
  const { t } = useTranslation();
  const { count, language } = useFormat();
  const { history } = useRouter();
  useFocusRestore(true);
  const [preset] = useState(() => (selectionKey === undefined ? undefined : findSelection(selectionKey)));
  const chosen = useRecipients({ preset });
  const { selection } = chosen;
  const [text, setText] = useState('');
  const [isConfirming, setConfirming] = useState(false);
  const isSent = useRef(false);
  const scheduleHref = useRef<string>(undefined);
  useDraft(
    (navigation) =>
      !isSent.current &&
      (text.trim() !== '' || chosen.list.text.trim() !== '') &&
      // Its content continues in the editor of schedules; a reply next to it does not.
      (!navigation || `${navigation.to.pathname}${navigation.to.search}` !== scheduleHref.current),
    (address) => address.get('compose') === (selectionKey ?? 'open'),
    true,
  );
  const recipients = useRecipientPreview(selection);
  const measure = measureOf(text);
  const sims = recipients.data?.changing;
  const schedule = (): void => {
    const prefill = { content: text, ...(selection ? { selection } : {}) };
    scheduleHref.current = newScheduleHref(language, prefill);
    history.push(scheduleHref.current);
  };
  const canConfirm = measure.content !== undefined && (sims ?? 0) > 0;
  return (
    <Card
      extra={
        <Button
          aria-label={t('sms.compose.close')}
          icon={<CloseOutlined aria-hidden="true" />}
          onClick={onClose}
          size="small"
          type="text"
        />
      }
      title={t('sms.compose.title')}
    >
      <form
        className={styles['form']}
        onSubmit={(event) => {
          event.preventDefault();
          if (canConfirm) setConfirming(true);
        }}
      >
        <div className={styles['fields']}>
          <div className={styles['to']}>
            <div className={styles['header']}>
              <span>{t('sms.compose.to')}</span>
              <RecipientMethods label={t('sms.compose.to')} recipients={chosen} />
            </div>
            <RecipientFields recipients={chosen} />
          </div>
          <TextField
            label={t('sms.compose.text')}
            measure={measure}
            onChange={setText}
            placeholder={t('sms.compose.textHint')}
            value={text}
          />
        </div>
        <div className={styles['footer']}>
          <Cost parts={measure.parts} recipients={recipients} hasSelection={selection !== undefined} />
          <Button disabled={chosen.isIncomplete} onClick={schedule}>
            {t('sms.compose.schedule')}
          </Button>
          <Button disabled={!canConfirm} htmlType="submit" type="primary">
            {sims === undefined || sims === 0
              ? t('sms.compose.send')
              : t('sms.compose.sendTo', { count: sims, shown: count(sims) })}
          </Button>
        </div>
      </form>
      {isConfirming && selection && measure.content !== undefined ? (
        <ConfirmSend
          onClose={() => setConfirming(false)}
          onSent={(sent) => {
            // A sent message is no longer a draft: leaving does not ask for confirmation.
            isSent.current = true;
            onSent(sent);
          }}
          order={{ selection, content: measure.content }}
        />
      ) : null}
    </Card>
  );
};
