import { Button } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../lib/session/index.ts';
import { Dialog } from '../../ui/dialog/index.ts';
import { stillness, useMedia } from '../../ui/media/index.ts';
import { shortcutKeys } from '../../ui/shortcuts/index.ts';

/** On the very first sign-in, with confetti for those who don't prefer stillness. */
export const WelcomeDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  const name = useSession('username') ?? '';
  const still = useMedia(stillness);
  useEffect(() => {
    if (!open || still) return;
    // After the dialog has come to rest, so that the two do not fight for the same frames.
    const timer = setTimeout(() => void throwConfetti(), 400);
    return () => clearTimeout(timer);
  }, [open, still]);
  return (
    <Dialog
      open={open}
      title={t('shell.welcome.title', { name })}
      onClose={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('shell.welcome.start')}
        </Button>
      }
    >
      {t('shell.welcome.text', { keys: shortcutKeys('palette').flat().join('\u00a0') })}
    </Dialog>
  );
};

const throwConfetti = async (): Promise<void> => {
  const { default: confetti } = await import('canvas-confetti');
  // No worker: it would be made of a blob, which the content security policy forbids.
  const throwNow = confetti.create(undefined, { resize: true, useWorker: false });
  await throwNow({
    particleCount: 120,
    spread: 80,
    origin: { y: 0.4 },
    zIndex: 1900,
    disableForReducedMotion: true,
  });
};
