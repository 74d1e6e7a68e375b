import { type CdrFilterParams, sessionSchema, simParams, simsOf } from '../filter.ts';

/** Characters by which people group digits. */
const separators = /[\s+().-]/g;

/** The parameters for a text: a session's id, or a SIM's ICCID, IMSI or MSISDN, also written in groups. Undefined for others. */
export const paramsOfText = (text: string): CdrFilterParams | undefined => {
  if (text === '') return { ...simParams(), session: undefined };
  if (sessionSchema.safeParse(text).success) return { ...simParams(), session: text };
  const params = simParams([text.replaceAll(separators, '')]);
  return params.sims === undefined ? undefined : { ...params, session: undefined };
};

/** The text for the parameters: the session, or the only SIM. */
export const textOfParams = (params: CdrFilterParams): string => {
  const sims = simsOf(params) ?? [];
  return params.session ?? (sims.length === 1 ? sims[0] : undefined) ?? '';
};
