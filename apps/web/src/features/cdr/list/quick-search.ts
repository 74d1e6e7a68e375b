import { iccidSchema } from '@simcube/contract';
import { type CdrFilterParams, cdrSims, sessionSchema, simsOf } from '../filter.ts';

/** Characters by which people group digits. */
const separators = /[\s+().-]/g;

/** A shorter number is probably part of one; the filter by SIMs also takes those. */
const completeNumber = /^\d{8,15}$/;
const isComplete = (sim: string): boolean => iccidSchema.safeParse(sim).success || completeNumber.test(sim);

/** The parameters for a text: a session's id, or a SIM's ICCID, IMSI or MSISDN, also written in groups. Undefined for others. */
export const paramsOfText = (text: string): CdrFilterParams | undefined => {
  if (text === '') return { ...cdrSims.simParams(), session: undefined };
  if (sessionSchema.safeParse(text).success) return { ...cdrSims.simParams(), session: text };
  const sim = text.replaceAll(separators, '');
  return isComplete(sim) ? { ...cdrSims.simParams([sim]), session: undefined } : undefined;
};

/** The text for the parameters: the session, or the only SIM. */
export const textOfParams = (params: CdrFilterParams): string => {
  const sims = simsOf(params) ?? [];
  return params.session ?? (sims.length === 1 ? sims[0] : undefined) ?? '';
};
