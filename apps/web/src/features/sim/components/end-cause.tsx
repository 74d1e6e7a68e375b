import { useTranslation } from 'react-i18next';
import { causeText } from '../fact-text.ts';

/** Why a session ended, as text; the tooltip shows it in full, with the protocol's term. */
export const EndCause = ({ cause }: { cause: string | null }) => {
  const { t } = useTranslation();
  if (cause === null) return '—';
  const text = causeText(cause, t);
  return <span title={`${text}\n${cause}`}>{text}</span>;
};
