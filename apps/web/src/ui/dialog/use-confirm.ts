import { type ReactNode, useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmContext } from './confirmations.tsx';

export interface Confirmation {
  title: ReactNode;
  /** Exactly what will happen, and to how many. */
  body?: ReactNode;
  /** The verb of the action, never just "OK". */
  action: string;
  /** The other button; *Cancel* by default. */
  cancel?: string;
  danger?: boolean;
}

/** Asks for confirmation; resolves with the choice. Requires `Confirmations` above it. */
export const useConfirm = (): ((confirmation: Confirmation) => Promise<boolean>) => {
  const modal = useContext(ConfirmContext);
  const { t } = useTranslation();
  return async ({ title, body, action, cancel = t('common.actions.cancel'), danger = false }) => {
    if (!modal) throw new Error('A question needs Confirmations above it');
    return await modal.confirm({
      title,
      content: body,
      okText: action,
      cancelText: cancel,
      okButtonProps: { danger },
      focusable: { autoFocusButton: danger ? 'cancel' : 'ok' },
      centered: true,
    });
  };
};
