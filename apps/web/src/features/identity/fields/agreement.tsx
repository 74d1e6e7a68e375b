import { Fragment, useId } from 'react';
import { useTranslation } from 'react-i18next';
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
  const { t } = useTranslation();
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
        <Linked phrase={t('identity.login.agreement')} />
      </label>
      {problem === undefined ? null : (
        <p id={`${id}-problem`} className={styles['problem']}>
          {problem}
        </p>
      )}
    </div>
  );
};

/** The page that each tag of the phrase links to. */
const pages: Readonly<Record<string, string>> = { terms: 'termsOfUse', privacy: 'privacy' };

/** A phrase with its tags as links. `Trans` of react-i18next would add 4 kB (gzip) to the script of every page. */
const Linked = ({ phrase }: { phrase: string }) => {
  const language = useLanguage();
  return Array.from(phrase.matchAll(/<(\w+)>(.*?)<\/\1>|[^<]+/g), ([text, tag, words]) =>
    tag === undefined ? (
      <Fragment key={text}>{text}</Fragment>
    ) : (
      <a key={tag} href={`/${language}/${pages[tag]}`} target="_blank" rel="noreferrer">
        {words}
      </a>
    ),
  );
};
