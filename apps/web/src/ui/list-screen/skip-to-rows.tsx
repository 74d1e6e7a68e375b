import { useTranslation } from 'react-i18next';
import { landing } from '../focus/index.ts';
import { SkipLink } from '../skip-link/index.ts';

/** Moves the focus from the start of a list to its current row. */
export const SkipToRows = () => {
  const { t } = useTranslation();
  return <SkipLink onClick={() => landing()?.focus()}>{t('kit.list.skipToRows')}</SkipLink>;
};
