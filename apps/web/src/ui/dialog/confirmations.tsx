import { Modal } from 'antd';
import { createContext, type ReactNode } from 'react';

/** Shows a confirmation; null outside `Confirmations`. */
export const ConfirmContext = createContext<ReturnType<typeof Modal.useModal>[0] | null>(null);

/** Must wrap everything that uses `useConfirm`; antd's own `App` would also add its messages and notifications. */
export const Confirmations = ({ children }: { children: ReactNode }) => {
  const [modal, openDialogs] = Modal.useModal();
  return (
    <ConfirmContext value={modal}>
      {openDialogs}
      {children}
    </ConfirmContext>
  );
};
