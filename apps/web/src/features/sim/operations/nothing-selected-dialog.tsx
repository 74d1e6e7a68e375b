import { Button } from 'antd';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Dialog, DialogContent, DialogText } from '../../../ui/dialog/index.ts';
import type { PlainOperation, Target } from './operation.ts';
import { usePreview } from './use-preview.ts';

interface NothingSelectedProps {
  name: PlainOperation;
  target: Target;
  /** The person means all matching SIMs. */
  onAll: () => void;
  onClose: () => void;
}

/** Confirms an activation of all matching SIMs: it must be intended, not the result of selecting none. */
export const NothingSelectedDialog = ({ name, target, onAll, onClose }: NothingSelectedProps) => {
  const { t } = useTranslation();
  const { count } = useFormat();
  const { data: preview } = usePreview({ name, target, values: {} }, true);
  return (
    <Dialog onClose={onClose} open title={t(`operations.titles.${name}`)} width={520}>
      <DialogContent
        actions={
          <>
            <Button disabled={preview?.changing === 0} onClick={onAll}>
              {preview
                ? t('operations.canBeActivated', { count: preview.changing, shown: count(preview.changing) })
                : t('operations.allThatMatch')}
            </Button>
            <Button
              onClick={() => {
                target.onShow?.();
                onClose();
              }}
              type="primary"
            >
              {t('operations.showPreActivated')}
            </Button>
          </>
        }
      >
        <DialogText>{t('operations.noneSelected')}</DialogText>
      </DialogContent>
    </Dialog>
  );
};
