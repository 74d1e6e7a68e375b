import { endpoints } from '@simcube/contract';
import { type Route, route } from '../../platform/http/index.ts';
import type { Geocode } from './geocode.service.ts';

export const placeRoutes = (geocode: Geocode): Route[] => [
  route(endpoints.place.reverse, ({ query, language, log }) => geocode(query, { language, log })),
];
