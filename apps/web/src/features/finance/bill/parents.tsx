import type { Bill } from '@simcube/contract/finance';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { billHref } from '../words.ts';

export const ToBills = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <Link href={`/${language}/finance`}>{t('shell.menu.finance')}</Link> ›
    </>
  );
};

export const ToBill = ({ id, bill }: { id: string; bill: Bill | undefined }) => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <>
      <ToBills /> <Link href={billHref(language, { id })}>{bill?.number ?? t('finance.one')}</Link> ›
    </>
  );
};
