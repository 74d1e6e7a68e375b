import { endpoints } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { ProofForm } from './proof-form.tsx';
import styles from './two-factor.module.css';

interface DisableDialogProps {
  open: boolean;
  /** An organisation of the person requires two-factor sign-in. */
  required: boolean;
  onClose: () => void;
  onDisabled: () => void;
}

export const DisableDialog = ({ open, required, onClose, onDisabled }: DisableDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog open={open} title={t('identity.twoFactor.disableTitle')} onClose={onClose}>
      <ProofForm
        action={t('identity.twoFactor.disable')}
        onCancel={onClose}
        onDone={onClose}
        onSubmit={async (body) => {
          await call(endpoints.identity.disableTwoFactor, { body, announce: false });
          onDisabled();
        }}
      >
        <p className={styles['text']}>{t('identity.twoFactor.disableText')}</p>
        {required ? <p className={styles['warning']}>{t('identity.twoFactor.disableRequired')}</p> : null}
      </ProofForm>
    </Dialog>
  );
};
