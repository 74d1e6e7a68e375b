import { useTranslation } from 'react-i18next';
import { Card } from '../../../ui/card/index.ts';
import { Empty } from '../../../ui/empty/index.ts';

export const SmsTab = () => {
  const { t } = useTranslation();
  return (
    <Card>
      <Empty hint={t('simDetail.sms.noneHint')} title={t('simDetail.sms.none')} />
    </Card>
  );
};
