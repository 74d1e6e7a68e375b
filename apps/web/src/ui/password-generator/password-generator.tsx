import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { generatePassword } from '../../lib/password/index.ts';
import styles from './password-generator.module.css';

export interface PasswordGeneratorProps {
  /** The field's value: the generated password is shown while the two are equal. */
  value: string;
  /** Called with the new password, to fill the fields. */
  onGenerate: (password: string) => void;
  disabled?: boolean;
}

/** Generates a password, shows it and copies it. Does not use antd, because the sign-in pages use it. */
export const PasswordGenerator = ({ value, onGenerate, disabled = false }: PasswordGeneratorProps) => {
  const { t } = useTranslation();
  const [generated, setGenerated] = useState<string | null>(null);
  const [copied, setCopied] = useState(false);
  const shown = generated !== null && generated === value;
  const generate = (): void => {
    const password = generatePassword();
    setGenerated(password);
    setCopied(false);
    onGenerate(password);
  };
  const copy = async (): Promise<void> => {
    // Without TLS the browser provides no clipboard; the password can still be selected.
    await navigator.clipboard?.writeText(value);
    setCopied(navigator.clipboard !== undefined);
  };
  return (
    <div className={styles['generator']}>
      <button type="button" className={styles['button']} disabled={disabled} onClick={generate}>
        {t('identity.password.generate')}
      </button>
      <span className={styles['result']} aria-live="polite">
        {shown ? (
          <>
            <span>{t('identity.password.generated')}</span>
            <code className={styles['code']}>{generated}</code>
            <button
              type="button"
              className={styles['button']}
              onClick={() => void copy().catch(() => undefined)}
            >
              {t(copied ? 'identity.password.copied' : 'identity.password.copy')}
            </button>
          </>
        ) : null}
      </span>
    </div>
  );
};
