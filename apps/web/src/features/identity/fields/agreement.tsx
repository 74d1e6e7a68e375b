import { useId } from 'react';
import { Trans } from 'react-i18next';
import { useLanguage } from '../../../lib/language/index.ts';
import styles from './fields.module.css';

interface AgreementProps {
  checked: boolean;
  problem: string | undefined;
  onChange: (checked: boolean) => void;
}

/** The agreement at the first sign-in, with links to both texts. */
export const Agreement = ({ checked, problem, onChange }: AgreementProps) => {
  const id = useId();
  const language = useLanguage();
  const link = (path: string) => (
    // biome-ignore lint/a11y/useAnchorContent: Trans inserts the phrase's text.
    <a href={`/${language}/${path}`} target="_blank" rel="noreferrer" />
  );
  return (
    <div className={styles['agreement']}>
      <input
        id={id}
        name="agreement"
        type="checkbox"
        checked={checked}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>
        <Trans
          i18nKey="identity.login.agreement"
          components={{ terms: link('termsOfUse'), privacy: link('privacy') }}
        />
      </label>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
};
