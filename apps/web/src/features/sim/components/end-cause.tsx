import { useTranslation } from 'react-i18next';
import { causeWords } from '../fact-words.ts';

/** Why a session ended, as text; the tooltip shows it in full, with the protocol's term. */
export const EndCause = ({ cause }: { cause: string | null }) => {
  const { t } = useTranslation();
  if (cause === null) return '—';
  const words = causeWords(cause, t);
  return <span title={`${words}\n${cause}`}>{words}</span>;
};
