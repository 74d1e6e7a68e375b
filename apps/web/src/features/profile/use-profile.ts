import { endpoints } from '@simcube/contract';
import type { Profile } from '@simcube/contract/identity';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { type ApiQuery, useApiQuery } from '../../ui/query/index.ts';

/** The person's own name, language and sign-in security. */
export const useProfile = (): ApiQuery<Profile> => useApiQuery(endpointQuery(endpoints.identity.getProfile));
