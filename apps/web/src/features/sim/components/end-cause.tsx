import { useTranslation } from 'react-i18next';
import { causeWords } from '../fact-words.ts';

/** Why a session ended, in words; the term of the protocol is its tooltip. */
export const EndCause = ({ cause }: { cause: string | null }) => {
  const { t } = useTranslation();
  return cause === null ? '—' : <span title={cause}>{causeWords(cause, t)}</span>;
};
