import { useTranslation } from 'react-i18next';
import { Identifier } from '../../../ui/identifier/index.ts';

const shownLetters = 8;

/** Shows the start of a hash, which is enough to compare by eye; copies it in full. */
export const Hash = ({ value }: { value: string }) => {
  const { t } = useTranslation();
  return (
    <span title={value}>
      <Identifier
        copy
        label={t('audit.fields.hash')}
        shown={`${value.slice(0, shownLetters)}…`}
        value={value}
      />
    </span>
  );
};
