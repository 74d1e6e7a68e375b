import { useTranslation } from 'react-i18next';
import { focusFallback } from '../focus/index.ts';
import { SkipLink } from '../skip-link/index.ts';

/** Moves the focus from the start of a list to its current row. */
export const SkipToRows = () => {
  const { t } = useTranslation();
  return <SkipLink onClick={() => focusFallback()?.focus()}>{t('kit.list.skipToRows')}</SkipLink>;
};
