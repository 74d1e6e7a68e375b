import { endpoints } from '@simcube/contract';
import type { Profile } from '@simcube/contract/identity';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { type Asked, useAnswer } from '../../ui/answer/index.ts';

/** The person's own name, language and sign-in security. */
export const useProfile = (): Asked<Profile> => useAnswer(endpointQuery(endpoints.identity.getProfile));
