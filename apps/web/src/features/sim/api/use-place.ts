import { endpoints } from '@simcube/contract';
import { endpointQuery } from '../../../lib/api-client/index.ts';
import { useAnswer } from '../../../ui/answer/index.ts';

/** The name of a place, once it is there; nothing where none is known. */
export const usePlace = (at: { latitude: number; longitude: number } | null): string | undefined => {
  const query = { longitude: String(at?.longitude ?? 0), latitude: String(at?.latitude ?? 0) };
  const { data } = useAnswer({
    ...endpointQuery(endpoints.place.reverse, { query }),
    enabled: at !== null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data?.data.name || undefined;
};
