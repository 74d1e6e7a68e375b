import { endpoints } from '@simcube/contract';
import type { Preview, SimSelection } from '@simcube/contract/sim';
import { call } from '../../../lib/api-client/index.ts';
import { useFreshQuery } from '../../../ui/query/index.ts';

/** The recipients do not depend on the text, so typing does not request them again. */
const anyText = '.';

/** How many of the SIMs a message would reach, and why not the others. */
export const useRecipientPreview = (selection: SimSelection | undefined) =>
  useFreshQuery<Preview | null>({
    key: ['sms.reached', selection],
    request: async (signal) => {
      if (!selection) return null;
      const body = { selection, content: anyText, preview: true };
      return (await call(endpoints.sms.send, { body, signal, announce: false })).data.preview;
    },
    enabled: selection !== undefined,
  });
