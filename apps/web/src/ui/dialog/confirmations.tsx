import { Modal } from 'antd';
import { createContext, type ReactNode } from 'react';

/** Asks; null outside of `Confirmations`. */
export const AskContext = createContext<ReturnType<typeof Modal.useModal>[0] | null>(null);

/** Around everything that asks with `useConfirm`; antd's own `App` would bring its messages and notifications along. */
export const Confirmations = ({ children }: { children: ReactNode }) => {
  const [modal, questions] = Modal.useModal();
  return (
    <AskContext value={modal}>
      {questions}
      {children}
    </AskContext>
  );
};
