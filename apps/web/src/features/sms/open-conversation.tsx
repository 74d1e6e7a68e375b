import { type ReactNode, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SidePanelLayout } from '../../ui/side-panel/index.ts';
import { Conversation, ConversationHeader } from './thread/conversation.tsx';

/** The messages of the current page, in order: for moving from one conversation to the next. */
export interface MessageNavigation {
  ids: readonly string[];
  setIds: (ids: readonly string[]) => void;
}

export const useMessageNavigation = (): MessageNavigation => {
  const [ids, setIds] = useState<readonly string[]>([]);
  return useMemo(() => ({ ids, setIds }), [ids]);
};

interface OpenConversationProps {
  message: string | undefined;
  navigation: MessageNavigation;
  onMessage: (id: string) => void;
  onClose: () => void;
  /** The page of messages. */
  children: ReactNode;
}

/** The conversation of a message: next to the list if there is room, otherwise over it. */
export const OpenConversation = (props: OpenConversationProps) => {
  const { message, onClose, children } = props;
  const { t } = useTranslation();
  return (
    <SidePanelLayout
      label={t('sms.thread.title')}
      onClose={onClose}
      panel={
        message === undefined ? undefined : (closable) => <ConversationPane {...props} closable={closable} />
      }
    >
      {children}
    </SidePanelLayout>
  );
};

const ConversationPane = ({
  message = '',
  navigation: { ids },
  onMessage,
  onClose,
  closable,
}: OpenConversationProps & { closable: boolean }) => {
  const iccid = message.split('-')[0] ?? '';
  const position = ids.indexOf(message);
  return (
    <Conversation
      header={
        <ConversationHeader
          earlier={ids[position - 1]}
          iccid={iccid}
          later={position < 0 ? undefined : ids[position + 1]}
          onClose={closable ? onClose : undefined}
          onMessage={onMessage}
        />
      }
      iccid={iccid}
      key={iccid}
      message={message}
      scope="messages"
    />
  );
};
