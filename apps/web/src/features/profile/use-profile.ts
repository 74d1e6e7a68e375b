import { endpoints } from '@simcube/contract';
import type { Profile } from '@simcube/contract/identity';
import { type Asked, endpointQuery, useAnswer } from '../../lib/api-client/index.ts';

/** One's own name, language and sign-in security. */
export const useProfile = (): Asked<Profile> => useAnswer(endpointQuery(endpoints.identity.getProfile));
