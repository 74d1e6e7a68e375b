import { type Language, languages } from '@simcube/contract';
import { Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { Icon } from '../icons.tsx';
import { inHeader } from './in-header.ts';
import styles from './language-menu.module.css';
import { MenuItem } from './menu-item.tsx';

export const LanguageMenu = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  const choose = useChooseLanguage();
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      getPopupContainer={inHeader}
      menu={{
        style: { minWidth: 150 },
        items: languages.map((one) => ({
          key: one,
          label: (
            <MenuItem chosen={one === language}>
              <span lang={one}>{t(`common.languages.${one}`)}</span>
            </MenuItem>
          ),
        })),
        onClick: ({ key }) => choose(key as Language),
      }}
    >
      <button type="button" className={styles['button']}>
        {t(`common.languageShort.${language}`)}
        <span className={styles['spoken']}>
          {t('shell.header.languageNow', { language: t(`common.languages.${language}`) })}
        </span>
        <Icon name="chevron" size={12} />
      </button>
    </Dropdown>
  );
};
