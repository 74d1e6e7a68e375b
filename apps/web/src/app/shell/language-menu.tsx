import { type Language, languages } from '@simcube/contract';
import { Dropdown } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { Icon } from './icons.tsx';
import styles from './language-menu.module.css';
import { useChooseLanguage } from './use-choose-language.ts';

export const LanguageMenu = () => {
  const { t } = useTranslation();
  const language = useLanguage();
  const choose = useChooseLanguage();
  return (
    <Dropdown
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: languages.map((one) => ({
          key: one,
          label: <span lang={one}>{t(`common.languages.${one}`)}</span>,
        })),
        selectable: true,
        selectedKeys: [language],
        onClick: ({ key }) => choose(key as Language),
      }}
    >
      <button
        type="button"
        className={styles['button']}
        aria-label={`${t('shell.header.language')}: ${t(`common.languages.${language}`)}`}
      >
        {t(`common.languageShort.${language}`)}
        <Icon name="chevron" size={12} />
      </button>
    </Dropdown>
  );
};
