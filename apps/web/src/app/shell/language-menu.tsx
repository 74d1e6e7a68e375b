import { languages } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { useChooseLanguage, useLanguage } from '../../lib/language/index.ts';
import { Menu } from '../../ui/menu/index.ts';
import { visuallyHidden } from '../../ui/visually-hidden/index.ts';
import { Icon } from '../icons.tsx';
import styles from './language-menu.module.css';
import { MenuItem } from './menu-item.tsx';

export const LanguageMenu = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  const choose = useChooseLanguage();
  return (
    <Menu
      items={languages.map((one) => ({
        key: one,
        label: (
          <MenuItem chosen={one === language}>
            <span lang={one}>{t(`common.languages.${one}`)}</span>
          </MenuItem>
        ),
        onClick: () => choose(one),
      }))}
      placement="bottomRight"
      width={{ min: 150 }}
    >
      <button type="button" className={styles['button']}>
        {t(`common.languageShort.${language}`)}
        <span className={visuallyHidden}>
          {t('shell.header.languageNow', { language: t(`common.languages.${language}`) })}
        </span>
        <Icon name="chevron" size={12} />
      </button>
    </Menu>
  );
};
