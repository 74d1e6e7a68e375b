import type { Phrases } from '@simcube/phrases/load';
import { useTranslation } from 'react-i18next';
import styles from './legal-screen.module.css';
import { PublicFrame } from './public-frame.tsx';

export const TermsScreen = () => <LegalScreen page="terms" />;
export const PrivacyScreen = () => <LegalScreen page="privacy" />;

const LegalScreen = ({ page }: { page: keyof Phrases['legal'] }) => {
  const { t } = useTranslation();
  const { intro, sections, title } = t(`legal.${page}`, { returnObjects: true });
  return (
    <PublicFrame wide>
      <article className={styles['page']}>
        <h1 className={styles['title']}>{title}</h1>
        <p className={styles['intro']}>{intro}</p>
        {Object.entries(sections).map(([key, section]) => (
          <section key={key} className={styles['section']}>
            <h2 className={styles['heading']}>{section.title}</h2>
            <p className={styles['text']}>{section.text}</p>
          </section>
        ))}
      </article>
    </PublicFrame>
  );
};
