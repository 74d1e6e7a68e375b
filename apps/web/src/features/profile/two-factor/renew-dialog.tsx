import { endpoints } from '@simcube/contract';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { ProofForm } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './two-factor.module.css';

interface RenewDialogProps {
  email: string;
  open: boolean;
  onClose: () => void;
  onRenewed: () => void;
}

export const RenewDialog = ({ open, onClose, ...steps }: RenewDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog persistent open={open} title={t('identity.twoFactor.renewTitle')} onClose={onClose}>
      <Steps {...steps} onClose={onClose} />
    </Dialog>
  );
};

const Steps = ({ email, onClose, onRenewed }: Omit<RenewDialogProps, 'open'>) => {
  const { t } = useTranslation();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} email={email} onDone={onClose} />;
  return (
    <ProofForm
      action={t('identity.twoFactor.renewConfirm')}
      onCancel={onClose}
      onDone={setCodes}
      onSubmit={async (body) => {
        const { data } = await call(endpoints.identity.renewRecoveryCodes, { body, announce: false });
        onRenewed();
        return data.recovery_codes;
      }}
    >
      <p className={styles['text']}>{t('identity.twoFactor.renewText')}</p>
    </ProofForm>
  );
};
