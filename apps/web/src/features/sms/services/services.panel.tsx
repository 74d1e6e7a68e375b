import { endpoints } from '@simcube/contract';
import type { SmsService } from '@simcube/contract/sms';
import type { TFunction } from 'i18next';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { type ApiResponse, endpointQuery } from '../../../lib/api-client/index.ts';
import type { SearchScreenProps } from '../../../lib/search-params/fields.ts';
import type { Column } from '../../../ui/data-table/index.ts';
import { Link } from '../../../ui/link/index.ts';
import {
  keyNotOnPage,
  ListPanel,
  useLinkedRow,
  useList,
  usePageQuery,
} from '../../../ui/list-screen/index.ts';
import { useApiQuery } from '../../../ui/query/index.ts';
import { type ServiceSearch, serviceSearch } from '../../settings/search.ts';
import { ServiceDialog } from './service-dialog.tsx';
import { useForwardText } from './use-forward-targets.ts';

const codeOf = ({ org_code: code }: SmsService): string => code;

/** What the organisation and its direct children may send and receive, and where messages of their SIMs are forwarded. */
export const ServicesPanel = (address: SearchScreenProps<ServiceSearch>) => {
  const { t } = useTranslation();
  const list = useList({
    name: 'sms-services',
    of: serviceSearch,
    address,
    query: usePageQuery(address.search, (page) => endpointQuery(endpoints.sms.listServices, { query: page })),
    columns: useServiceColumns(),
  });
  const named = { rows: list.rows, linkedKey: list.search.service, keyOf: codeOf };
  const { row: service, fallback } = useLinkedRow(named, useService(keyNotOnPage(named)));
  return (
    <ListPanel
      empty={{ title: t('sms.services.empty'), hint: t('sms.services.emptyHint') }}
      label={t('sms.services.label')}
      list={list}
      noMatch={{ title: t('sms.services.empty'), hint: t('sms.services.emptyHint') }}
      rowHref={({ org_code: service }) => list.hrefWith({ service })}
      rowKey={codeOf}
    >
      <ServiceDialog fallback={fallback} onClose={list.close} service={service} />
    </ListPanel>
  );
};

/** The service of one organisation, in the form of a list's response. */
const useService = (orgCode: string | undefined) =>
  useApiQuery({
    ...endpointQuery(endpoints.sms.service, { params: { orgCode: orgCode ?? '' } }),
    select: (response: ApiResponse<SmsService>) => ({ ...response, data: [response.data] }),
    enabled: orgCode !== undefined,
  });

const useServiceColumns = (): Column<SmsService>[] => {
  const { t } = useTranslation();
  const forwardText = useForwardText();
  return useMemo(
    () => [
      {
        id: 'name',
        title: t('sms.services.organisation'),
        width: 280,
        fixed: true,
        phone: 'heading',
        render: ({ org_name: name }, href) => (
          <Link href={href} title={name}>
            {name}
          </Link>
        ),
      },
      {
        id: 'sending',
        title: t('sms.services.sending'),
        width: 130,
        phone: 'line',
        render: ({ can_send: may }) => allowedText(t, may),
      },
      {
        id: 'receiving',
        title: t('sms.services.receiving'),
        width: 130,
        phone: 'line',
        render: ({ can_receive: may }) => allowedText(t, may),
      },
      {
        id: 'sender',
        title: t('sms.services.sender'),
        width: 190,
        phone: 'line',
        render: ({ sender }) => sender ?? t('sms.services.senderOfConnection'),
      },
      {
        id: 'forwarded',
        title: t('sms.services.forwardTo'),
        width: 300,
        phone: 'line',
        render: ({ forward_to: ids }) => forwardText(ids),
      },
    ],
    [t, forwardText],
  );
};

const allowedText = (t: TFunction, may: boolean) => t(`sms.services.${may ? 'allowed' : 'refused'}`);
