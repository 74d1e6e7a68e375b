import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog } from '../../ui/dialog/index.ts';

/** The confirm box of result 0502. It can only be confirmed: every further call would end here again. */
export const SessionEndedDialog = ({ open, onClose }: { open: boolean; onClose: () => void }) => {
  const { t } = useTranslation();
  return (
    <Dialog
      open={open}
      title={t('shell.sessionEnded.title')}
      onClose={onClose}
      footer={
        <Button type="primary" onClick={onClose}>
          {t('shell.sessionEnded.confirm')}
        </Button>
      }
    >
      {t('shell.sessionEnded.text')}
    </Dialog>
  );
};
