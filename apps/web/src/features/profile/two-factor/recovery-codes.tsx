import { Button, Checkbox } from 'antd';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { saveFile } from '../../../lib/download/index.ts';
import { useCopy } from '../../../ui/copy/index.ts';
import { useDraft } from '../../../ui/unsaved/index.ts';
import styles from './two-factor.module.css';

interface RecoveryCodesProps {
  codes: readonly string[];
  email: string;
  onDone: () => void;
}

/** Shown only once, to be copied or downloaded; until the person confirms that, leaving asks for confirmation. */
export const RecoveryCodes = ({ codes, email, onDone }: RecoveryCodesProps) => {
  const { t } = useTranslation();
  const copy = useCopy();
  const [isSaved, setSaved] = useState(false);
  useDraft(() => !isSaved);
  const text = [t('identity.twoFactor.codesFileHead', { email }), '', ...codes, ''].join('\r\n');
  const save = (): void =>
    saveFile({
      blob: new Blob([text], { type: 'text/plain;charset=utf-8' }),
      name: t('identity.twoFactor.codesFileName'),
    });
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
          <Button onClick={() => copy(codes.join('\n'))}>{t('identity.twoFactor.codesCopy')}</Button>
        ) : null}
        <Button onClick={save}>{t('identity.twoFactor.codesDownload')}</Button>
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
