import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format/index.ts';
import { SegmentedLinks } from '../../ui/segmented/index.ts';
import { cdrHref } from './addresses.ts';
import type { CdrFilterParams } from './filter.ts';

interface CdrViewsProps {
  here: 'cdrCard' | 'chartView';
  /** Including its period. */
  filter: CdrFilterParams;
}

/** Switches between the records and their charts. */
export const CdrViews = ({ here, filter }: CdrViewsProps) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <SegmentedLinks
      label={t('cdr.views.label')}
      links={(['cdrCard', 'chartView'] as const).map((screen) => ({
        label: t(`cdr.views.${screen}`),
        href: cdrHref(language, screen, filter),
        current: screen === here,
      }))}
    />
  );
};
