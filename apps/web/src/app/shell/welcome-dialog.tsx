import { Button } from 'antd';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useSession } from '../../lib/session/index.ts';
import { Dialog } from '../../ui/dialog/index.ts';
import { stillness, useMedia } from '../../ui/media/index.ts';
import { shortcutKeys } from '../../ui/shortcuts/index.ts';

/** Shown at the very first sign-in, with confetti unless the person prefers reduced motion. */
export const WelcomeDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  const name = useSession('username') ?? '';
  const still = useMedia(stillness);
  useEffect(() => {
    if (!open || still) return;
    // Starts after the dialog's animation, so that the two don't compete for frames.
    const timer = setTimeout(() => void throwConfetti(), 400);
    return () => clearTimeout(timer);
  }, [open, still]);
  return (
    <Dialog
      open={open}
      title={t('shell.welcome.title', { name })}
      onClose={onClose}
      footer={
        <Button autoFocus type="primary" onClick={onClose}>
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
  // No worker: it would be created from a blob, which the content security policy forbids.
  const throwNow = confetti.create(undefined, { resize: true, useWorker: false });
  await throwNow({
    particleCount: 120,
    spread: 80,
    origin: { y: 0.4 },
    zIndex: 1900,
    disableForReducedMotion: true,
  });
};
