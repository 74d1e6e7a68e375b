import { endpoint } from '../endpoint.ts';
import { coordinatesSchema, placeSchema } from './schemas.ts';

export const placeEndpoints = {
  reverse: endpoint({
    id: 'place.reverse',
    method: 'GET',
    path: '/cube/geocode/reverse',
    summary: 'Name of the place at a longitude and latitude',
    access: { kind: 'signed-in', member: true },
    query: coordinatesSchema,
    response: placeSchema,
    errors: [],
    retry: 'safe',
  }),
} as const;
