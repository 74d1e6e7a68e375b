import { languages } from '@simcube/contract';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { Link } from '../../ui/link/index.ts';
import { ProductMark } from './product-mark.tsx';
import styles from './public-frame.module.css';

/** The frame of every page that needs no sign-in: product and language. Does not use antd, as it loads first. */
export const PublicFrame = ({ children, wide = false }: { children: ReactNode; wide?: boolean }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <div className={styles['frame']}>
      <Backdrop />
      <header className={styles['header']}>
        <Link className={styles['product']} href={`/${language}`}>
          <ProductMark size={24} />
          <span>{t('common.product')}</span>
        </Link>
        <LanguageSelect />
      </header>
      <main className={styles['main']} data-wide={wide}>
        {children}
      </main>
      <footer className={styles['footer']}>
        <Link href={`/${language}/termsOfUse`}>{t('legal.terms.title')}</Link>
        <Link href={`/${language}/privacy`}>{t('legal.privacy.title')}</Link>
      </footer>
    </div>
  );
};

const LanguageSelect = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  const chooseLanguage = useChooseLanguage();
  return (
    <select
      className={styles['language']}
      aria-label={t('shell.header.language')}
      value={language}
      onChange={(event) => {
        const next = languages.find((one) => one === event.target.value);
        if (next) chooseLanguage(next);
      }}
    >
      {languages.map((one) => (
        <option key={one} value={one} lang={one}>
          {t(`common.languages.${one}`)}
        </option>
      ))}
    </select>
  );
};

/** A decorative background of cubes, with the faces of the product's mark as thin lines. */
const Backdrop = () => (
  <svg className={styles['backdrop']} aria-hidden="true" width="100%" height="100%">
    <defs>
      <pattern id="cubes" width="56" height="96" patternUnits="userSpaceOnUse">
        <path
          d="M28 0 56 16v32L28 64 0 48V16zM28 64v32M0 16l28 16 28-16M28 32v32M0 48v32l28 16 28-16V48"
          fill="none"
          stroke="currentColor"
          strokeWidth="1"
        />
      </pattern>
    </defs>
    <rect width="100%" height="100%" fill="url(#cubes)" />
  </svg>
);
