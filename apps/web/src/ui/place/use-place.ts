import { endpoints } from '@simcube/contract';
import type { Place } from '@simcube/contract/place';
import { endpointQuery } from '../../lib/api-client/index.ts';
import { useLanguage } from '../../lib/language/index.ts';
import { type ApiQuery, useApiQuery } from '../query/index.ts';
import { degreesText } from './degrees-text.ts';

export interface At {
  latitude: number;
  longitude: number;
}

/** The name of a position; nothing is requested while the position is unknown. */
export const usePlace = (at: At | null): ApiQuery<Place> => {
  const language = useLanguage();
  const query = { longitude: degreesText(at?.longitude ?? 0), latitude: degreesText(at?.latitude ?? 0) };
  const { queryKey, ...asked } = endpointQuery(endpoints.place.reverse, { query });
  return useApiQuery({
    ...asked,
    // Names are in the language of the call.
    queryKey: [...queryKey, language],
    enabled: at !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
};
