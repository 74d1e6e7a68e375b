import { useTranslation } from 'react-i18next';
import { useLiveMessages } from './list/use-messages.ts';
import styles from './sms.module.css';
import { Conversation } from './thread/conversation.tsx';

/** The conversation with a SIM, on the SIM's page. */
export const SimConversation = ({ iccid }: { iccid: string }) => {
  const { t } = useTranslation();
  useLiveMessages();
  return (
    <section aria-label={t('sms.thread.title')} className={styles['simConversation']}>
      <Conversation iccid={iccid} scope="sim" />
    </section>
  );
};
