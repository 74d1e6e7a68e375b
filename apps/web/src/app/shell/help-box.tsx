import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { Icon } from '../icons.tsx';
import styles from './help-box.module.css';

/** Links to the user guide, which links to the API reference. */
export const HelpBox = ({ small = false }: { small?: boolean }) => {
  const { t } = useTranslation();
  const language = useLanguage();
  const title = t('shell.menu.helpTitle');
  return (
    <Tooltip title={small ? title : null} placement="right">
      <a
        className={styles['help']}
        data-small={small}
        href={`/${language}/guide`}
        target="_blank"
        rel="noreferrer"
        aria-label={small ? title : undefined}
      >
        {small ? (
          <Icon name="help" />
        ) : (
          <>
            <strong className={styles['title']}>{title}</strong>
            <span className={styles['text']}>{t('shell.menu.helpText')}</span>
          </>
        )}
      </a>
    </Tooltip>
  );
};
