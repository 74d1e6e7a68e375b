import { limits } from '@simcube/contract';
import { useTranslation } from 'react-i18next';
import { DescriptionList } from '../../ui/description-list/index.ts';
import { useConfirm } from '../../ui/dialog/index.ts';

/** Confirmation before a report leaves the organisation: what it shows, who can read it, and for how long. */
export const useConfirmShare = (): (() => Promise<boolean>) => {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return () =>
    confirm({
      title: t('simDetail.diagnosePage.ask.title'),
      body: (
        <DescriptionList
          items={[
            { term: t('simDetail.diagnosePage.ask.shows'), value: t('simDetail.diagnosePage.ask.showsText') },
            {
              term: t('simDetail.diagnosePage.ask.readers'),
              value: t('simDetail.diagnosePage.ask.readersText'),
            },
            {
              term: t('simDetail.diagnosePage.ask.until'),
              value: t('simDetail.diagnosePage.ask.untilText', { hours: limits.diagnoseHours }),
            },
          ]}
        />
      ),
      action: t('simDetail.diagnosePage.ask.action'),
    });
};
