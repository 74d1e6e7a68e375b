import { endpoints } from '@simcube/contract';
import type { Profile } from '@simcube/contract/identity';
import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { type Answer, type ApiFailure, endpointQuery } from '../../lib/api-client/index.ts';

/** One's own name, language and sign-in security. */
export const useProfile = (): UseQueryResult<Answer<Profile>, ApiFailure> =>
  useQuery(endpointQuery(endpoints.identity.getProfile));
