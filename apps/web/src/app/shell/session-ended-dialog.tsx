import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/index.ts';
import { useSessionEnded } from '../session-ended.ts';

/** The confirm box of result 0502. There is no other way out: every further call would end here again. */
export const SessionEndedDialog = () => {
  const { t } = useTranslation();
  const agree = useSessionEnded();
  const close = (): void => agree?.();
  return (
    <Dialog
      open={agree !== null}
      title={t('shell.sessionEnded.title')}
      onClose={close}
      footer={
        <Button type="primary" onClick={close}>
          {t('shell.sessionEnded.confirm')}
        </Button>
      }
    >
      {t('shell.sessionEnded.text')}
    </Dialog>
  );
};
