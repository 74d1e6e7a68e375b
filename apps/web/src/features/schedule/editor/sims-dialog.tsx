import type { SimSelection } from '@simcube/contract/sim';
import { Button } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Dialog, DialogContent } from '../../../ui/dialog/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import { RecipientFields, RecipientMethods } from '../recipients/recipient-fields.tsx';
import { useRecipients } from '../recipients/use-recipients.ts';

interface SimsDialogProps {
  selection: SimSelection | undefined;
  onSelection: (selection: SimSelection) => void;
  onClose: () => void;
}

/** Chooses the SIMs of a schedule: by a list, by a filter, or by a file. */
export const SimsDialog = ({ open, ...sims }: SimsDialogProps & { open: boolean }) => {
  const { t } = useTranslation();
  return (
    <Dialog onClose={sims.onClose} open={open} title={t('schedule.editSims')} width={520}>
      <SimsForm {...sims} />
    </Dialog>
  );
};

const SimsForm = ({ selection, onSelection, onClose }: SimsDialogProps) => {
  const { t } = useTranslation();
  const recipients = useRecipients(
    selection && 'iccids' in selection ? { iccids: selection.iccids } : { preset: selection },
  );
  const { selection: chosen, list, filter } = recipients;
  const [stored] = useState({ text: list.text, preset: filter.preset });
  useDraft(() => list.text !== stored.text || filter.preset !== stored.preset || filter.tags.length > 0);
  return (
    <DialogContent
      actions={
        <Button
          disabled={!chosen}
          onClick={() => {
            if (chosen) onSelection(chosen);
            onClose();
          }}
          type="primary"
        >
          {t('schedule.apply')}
        </Button>
      }
      onCancel={onClose}
    >
      <div>
        <RecipientMethods label={t('schedule.editSims')} recipients={recipients} />
      </div>
      <RecipientFields recipients={recipients} />
    </DialogContent>
  );
};
