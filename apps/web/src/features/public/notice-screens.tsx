import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { Link } from '../../ui/link/index.ts';
import styles from './notice-screens.module.css';
import { PublicFrame } from './public-frame.tsx';

/** The token has expired or was refused (route 401). */
export const UnauthorisedScreen = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Notice code="401" title={t('identity.unauthorised.title')} text={t('identity.unauthorised.text')}>
      <Link className={styles['action']} href={`/${language}/login`}>
        {t('identity.unauthorised.action')}
      </Link>
    </Notice>
  );
};

/** The catch-all route. */
export const NotFoundScreen = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Notice code="404" title={t('identity.notFound.title')} text={t('identity.notFound.text')}>
      <Link className={styles['action']} href={`/${language}`}>
        {t('identity.notFound.action')}
      </Link>
    </Notice>
  );
};

interface NoticeProps {
  code: string;
  title: string;
  text: string;
  children: ReactNode;
}

const Notice = ({ code, title, text, children }: NoticeProps) => (
  <PublicFrame>
    <div className={styles['notice']}>
      <p className={styles['code']}>{code}</p>
      <h1 className={styles['title']}>{title}</h1>
      <p className={styles['text']}>{text}</p>
      {children}
    </div>
  </PublicFrame>
);
