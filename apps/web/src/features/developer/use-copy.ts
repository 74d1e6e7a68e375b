import { useTranslation } from 'react-i18next';
import { toast } from '../../lib/toast/index.ts';

/** Copies a text and says whether the browser let it; `onCopied` only then. */
export const useCopy = () => {
  const { t } = useTranslation();
  return (text: string, onCopied?: () => void): void => {
    navigator.clipboard
      .writeText(text)
      .then(() => {
        toast.success(t('developer.copied'));
        onCopied?.();
      })
      .catch(() => toast.error(t('developer.copyFailed')));
  };
};
