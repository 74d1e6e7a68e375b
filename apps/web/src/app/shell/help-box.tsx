import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { Icon } from '../icons.tsx';
import styles from './help-box.module.css';

/** Leads to the documentation, which the server serves beside the console. */
export const HelpBox = ({ small = false }: { small?: boolean }) => {
  const { t } = useTranslation();
  const title = t('shell.menu.helpTitle');
  return (
    <Tooltip title={small ? title : null} placement="right">
      <a
        className={styles['help']}
        data-small={small}
        href="/docs"
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
