import { useMatches } from '@tanstack/react-router';
import { Tooltip } from 'antd';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/language/index.ts';
import { shortcutKeys } from '../../ui/shortcuts/index.ts';
import { guidePlaceOf } from '../guide-places.ts';
import styles from './guide-link.module.css';

/** Link to the place in the guide about the current page. */
const useGuideHref = (): string => {
  const language = useLanguage();
  const shown = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const [file = '', section] = guidePlaceOf(shown)?.split('#') ?? [];
  const page = file === '' ? '' : `/${file.replace('.md', '')}`;
  return `/${language}/guide${page}${section === undefined ? '' : `?section=${section}`}`;
};

/** The “?” on every page. */
export const GuideLink = () => {
  const { t } = useTranslation();
  const words = t('shell.header.guide');
  return (
    <Tooltip title={words}>
      <a aria-label={words} className={styles['mark']} href={useGuideHref()} rel="noreferrer" target="_blank">
        {shortcutKeys('help').flat()}
      </a>
    </Tooltip>
  );
};

/** The same link as text. */
export const GuideTextLink = () => {
  const { t } = useTranslation();
  return (
    <a href={useGuideHref()} rel="noreferrer" target="_blank">
      {t('shell.header.guide')}
    </a>
  );
};
