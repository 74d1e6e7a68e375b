import { useTranslation } from 'react-i18next';
import { toast } from '../../lib/toast/index.ts';

/** Copies a text and reports whether the browser allowed it; calls `onCopied` only on success. */
export const useCopy = () => {
  const { t } = useTranslation();
  const copy = async (text: string, onCopied?: () => void): Promise<void> => {
    try {
      // Without TLS there is no clipboard API.
      await navigator.clipboard.writeText(text);
      toast.success(t('common.actions.copied'));
      onCopied?.();
    } catch {
      toast.error(t('common.actions.copyFailed'));
    }
  };
  return (text: string, onCopied?: () => void): void => void copy(text, onCopied);
};
