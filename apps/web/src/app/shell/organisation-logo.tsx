import { useTranslation } from 'react-i18next';
import { ProductMark } from '../../features/public/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { session } from '../../lib/session/index.ts';
import { Link } from '../../ui/link/index.ts';
import styles from './organisation-logo.module.css';

/** The organisation's own logo if it has one, else the product's; both link to the start page. */
export const OrganisationLogo = ({ small = false }: { small?: boolean }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const membership = session.currentMembership();
  const product = t('common.product');
  return (
    <Link href={`/${language}`} className={styles['logo']} data-small={small} aria-label={product}>
      {membership?.logo ? (
        <img className={styles['image']} src={membership.logo} alt={membership.name} />
      ) : (
        <>
          <ProductMark size={24} />
          {small ? null : <span>{product}</span>}
        </>
      )}
    </Link>
  );
};
