import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiFailure } from '../../../lib/api-client/index.ts';
import { useFormat } from '../../../lib/format/index.ts';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';
import { Failure } from '../../../ui/failure/index.ts';
import { Link } from '../../../ui/link/index.ts';
import { Page } from '../../../ui/page/index.ts';
import { useBill } from '../api.ts';
import { ToBills } from './parents.tsx';

/** A page of a bill, if the bill exists. */
export const BillGate = ({
  id,
  children,
}: {
  id: string | undefined;
  children: (id: string) => ReactNode;
}) => (id === undefined ? <Missing /> : <ExistingBill id={id}>{children}</ExistingBill>);

const ExistingBill = ({ id, children }: { id: string; children: (id: string) => ReactNode }) => {
  const { t } = useTranslation();
  const { data, error, refetch } = useBill(id);
  if (error instanceof ApiFailure && error.http === 404) return <Missing />;
  if (data || !error) return children(id);
  return (
    <Page parent={<ToBills />} title={t('finance.one')}>
      <Card>
        <Failure error={error} onRetry={() => void refetch()} />
      </Card>
    </Page>
  );
};

/** The bill does not exist, or belongs to another organisation. */
const Missing = () => {
  const { t } = useTranslation();
  const { language } = useFormat();
  return (
    <Page parent={<ToBills />} title={t('finance.missing')}>
      <Card>
        <Empty
          action={<Link href={`/${language}/finance`}>{t('finance.backToList')}</Link>}
          hint={t('finance.missingHint')}
          title={t('finance.missing')}
        />
      </Card>
    </Page>
  );
};
