import { endpoints, limits, type ResponseOf } from '@simcube/contract';
import { passwordProofSchema, twoFactorConfirmSchema } from '@simcube/contract/identity';
import { Input, QRCode } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../lib/api-client/index.ts';
import { Dialog } from '../../../ui/dialog/index.ts';
import { Form, FormField } from '../../../ui/form/index.ts';
import { Identifier } from '../../../ui/identifier/index.ts';
import { maxCodeLength } from './proof-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import styles from './two-factor.module.css';

type Setup = ResponseOf<typeof endpoints.identity.beginTwoFactor>;

interface EnableDialogProps {
  email: string;
  open: boolean;
  onClose: () => void;
  /** Called once two-factor is enabled; the dialog continues with the recovery codes. */
  onEnabled: () => void;
}

/** Password; then secret and first code; then the recovery codes, which are shown only once. */
export const EnableDialog = ({ open, onClose, ...steps }: EnableDialogProps) => {
  const { t } = useTranslation();
  return (
    <Dialog persistent open={open} title={t('identity.twoFactor.setupTitle')} onClose={onClose} width={500}>
      <Steps {...steps} onClose={onClose} />
    </Dialog>
  );
};

/** Secret and codes exist only in this component: they are never cached or stored. */
const Steps = ({ email, onClose, onEnabled }: Omit<EnableDialogProps, 'open'>) => {
  const [setup, setSetup] = useState<Setup | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} email={email} onDone={onClose} />;
  if (setup === null) return <PasswordStep onCancel={onClose} onSetup={setSetup} />;
  return <ConfirmStep setup={setup} onCancel={onClose} onCodes={setCodes} onEnabled={onEnabled} />;
};

const PasswordStep = ({ onCancel, onSetup }: { onCancel: () => void; onSetup: (setup: Setup) => void }) => {
  const { t } = useTranslation();
  return (
    <Form
      action={t('identity.twoFactor.next')}
      codes={{ 'CB-07-0014': 'password' }}
      initial={{ password: '' }}
      onCancel={onCancel}
      onDone={onSetup}
      onSubmit={async (body) =>
        (await call(endpoints.identity.beginTwoFactor, { body, announce: false })).data
      }
      schema={passwordProofSchema}
    >
      <p className={styles['text']}>{t('identity.twoFactor.proveText')}</p>
      <FormField label={t('identity.twoFactor.password')} name="password">
        <Input.Password autoComplete="current-password" autoFocus maxLength={limits.password.max} />
      </FormField>
    </Form>
  );
};

interface ConfirmStepProps {
  setup: Setup;
  onCancel: () => void;
  onCodes: (codes: readonly string[]) => void;
  onEnabled: () => void;
}

const ConfirmStep = ({ setup, onCancel, onCodes, onEnabled }: ConfirmStepProps) => {
  const { t } = useTranslation();
  const confirm = async (body: { code: string }): Promise<string[]> => {
    const { data } = await call(endpoints.identity.confirmTwoFactor, { body, announce: false });
    onEnabled();
    return data.recovery_codes;
  };
  return (
    <Form
      action={t('identity.twoFactor.confirm')}
      codes={{ 'CB-07-0010': 'code', 'CB-07-0040': 'code' }}
      initial={{ code: '' }}
      onCancel={onCancel}
      onDone={onCodes}
      onSubmit={confirm}
      schema={twoFactorConfirmSchema}
    >
      <div className={styles['setup']}>
        <div className={styles['qr']}>
          <QRCode
            aria-label={t('identity.twoFactor.qrLabel')}
            bgColor="#ffffff"
            bordered={false}
            color="#000000"
            errorLevel="L"
            size={168}
            style={{ padding: 0 }}
            type="svg"
            value={setup.uri}
          />
        </div>
        <div>
          <p>{t('identity.twoFactor.scanText')}</p>
          <p>{t('identity.twoFactor.secretText')}</p>
          <Identifier copy label={t('identity.twoFactor.secret')} value={groupByFour(setup.secret)} />
        </div>
      </div>
      <FormField hint={t('identity.twoFactor.codeText')} label={t('identity.twoFactor.code')} name="code">
        <Input autoComplete="one-time-code" autoFocus inputMode="numeric" maxLength={maxCodeLength} />
      </FormField>
    </Form>
  );
};

/** Base 32 in groups of four, for reading and typing; authenticator apps ignore the spaces. */
const groupByFour = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');
