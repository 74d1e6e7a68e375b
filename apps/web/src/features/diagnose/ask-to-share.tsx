import { limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { DescriptionList } from '../../ui/description-list/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';

/** Before a report leaves the organisation: what it shows, to whom, and for how long. */
export const useAskToShare = (): (() => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const asked = 'simDetail.diagnosePage.ask';
  return () =>
    confirm({
      title: t(`${asked}.title`),
      body: (
        <DescriptionList
          items={[
            { term: t(`${asked}.shows`), value: t(`${asked}.showsText`) },
            { term: t(`${asked}.readers`), value: t(`${asked}.readersText`) },
            { term: t(`${asked}.until`), value: t(`${asked}.untilText`, { hours: limits.diagnoseHours }) },
          ]}
        />
      ),
      action: t(`${asked}.action`),
    });
};
