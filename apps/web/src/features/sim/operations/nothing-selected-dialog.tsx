import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import type { PlainOperation } from './operation.ts';

interface NothingSelectedProps {
  name: PlainOperation;
  /** The person means all matching SIMs. */
  onAll: () => void;
  onClose: () => void;
}

/** Confirms an order for all matching SIMs: it must be intended, not the result of selecting none. */
export const NothingSelectedDialog = ({ name, onAll, onClose }: NothingSelectedProps) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={onClose} open title={t(`operations.titles.${name}`)} width={520}>
      <DialogContent
        actions={
          <>
            <Button onClick={onAll}>{t('operations.allThatMatch')}</Button>
            <Button onClick={onClose} type="primary">
              {t('operations.selectSims')}
            </Button>
          </>
        }
      >
        <DialogText>{t('operations.noneSelected')}</DialogText>
      </DialogContent>
    </Dialog>
  );
};
