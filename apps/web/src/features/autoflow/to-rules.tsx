import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { Link } from '../../ui/link/index.ts';
import { rulesHref } from './addresses.ts';

/** Link back to the list. */
export const ToRules = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <Link href={rulesHref(language)}>{t('shell.menu.autoflow')}</Link> ›
    </>
  );
};
