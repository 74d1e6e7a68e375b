import { useTranslation } from 'react-i18next';
import { Segmented } from '../../../ui/segmented/index.ts';
import { SelectByFile } from './select-by-file.tsx';
import { SelectByFilter } from './select-by-filter.tsx';
import { ListedCounts, SelectByList } from './select-by-list.tsx';
import { type Recipients, recipientMethods } from './use-recipients.ts';

/** How the recipients are chosen: by a list, by a filter, or by a file. */
export const RecipientMethods = ({
  label,
  recipients: { method, setMethod },
}: {
  label: string;
  recipients: Recipients;
}) => {
  const { t } = useTranslation();
  return (
    <Segmented
      label={label}
      onChange={setMethod}
      options={recipientMethods.map((value) => ({ value, label: t(`sms.compose.ways.${value}`) }))}
      small
      value={method}
    />
  );
};

/** The fields of the method. */
export const RecipientFields = ({ recipients: { method, list, filter } }: { recipients: Recipients }) => {
  switch (method) {
    case 'list':
      return <SelectByList {...list} />;
    case 'filter':
      return <SelectByFilter {...filter} />;
    case 'file':
      return (
        <>
          <SelectByFile onIdentifiers={list.read} />
          {list.listed.entered > 0 ? <ListedCounts listed={list.listed} /> : null}
        </>
      );
  }
};
