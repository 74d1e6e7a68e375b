import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../../lib/toast/index.ts';
import styles from './two-factor.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  email: string;
  onDone: () => void;
}

/** Shown only once, to be copied or downloaded; closed only when the person confirms. */
export const RecoveryCodes = ({ codes, email, onDone }: RecoveryCodesProps) => {
  const { t } = useTranslation();
  const [isSaved, setSaved] = useState(false);
  const text = [t('identity.twoFactor.codesFileHead', { email }), '', ...codes, ''].join('\r\n');
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(codes.join('\n'));
    toast.success(t('common.actions.copied'));
  };
  return (
    <>
      <h3 className={styles['heading']}>{t('identity.twoFactor.codesTitle')}</h3>
      <p className={styles['text']}>{t('identity.twoFactor.codesText')}</p>
      <ul className={styles['codes']} aria-label={t('identity.twoFactor.codesTitle')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className={styles['buttons']}>
        {navigator.clipboard ? (
          <Button onClick={() => void copy().catch(() => undefined)}>
            {t('identity.twoFactor.codesCopy')}
          </Button>
        ) : null}
        <Button onClick={() => download(t('identity.twoFactor.codesFileName'), text)}>
          {t('identity.twoFactor.codesDownload')}
        </Button>
      </div>
      <div className={styles['buttons']} data-end="true">
        <Checkbox checked={isSaved} onChange={(event) => setSaved(event.target.checked)}>
          {t('identity.twoFactor.codesKept')}
        </Checkbox>
        <Button disabled={!isSaved} onClick={onDone} type="primary">
          {t('identity.twoFactor.codesDone')}
        </Button>
      </div>
    </>
  );
};

const download = (name: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has read the content by the next task; the object URL must not retain it.
  setTimeout(() => URL.revokeObjectURL(url));
};
