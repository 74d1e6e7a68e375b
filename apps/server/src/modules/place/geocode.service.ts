import type { Language } from '@simcube/contract';
import type { Place } from '@simcube/contract/place';
import { phrase } from '@simcube/phrases';
import { z } from 'zod';
import type { Log } from '../../platform/log/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { lazily } from '../../platform/recent/index.ts';
import type { Coordinates } from './hexagon.rules.ts';
import { loadTowns } from './towns.ts';

/** A maps service with Nominatim's API (`/reverse?format=jsonv2`). */
export interface MapsService {
  url: string;
  request: Outbound;
}

export type Geocode = (at: Coordinates, options: { language: Language; log: Log }) => Promise<Place>;

const limits = { timeoutMs: 4_000, maxBytes: 64 * 1024 };
const responseSchema = z.object({
  display_name: z.string().min(1).max(1000),
  licence: z.string().max(300).default('OpenStreetMap'),
  address: z
    .object({
      country_code: z
        .string()
        .regex(/^[a-z]{2}$/i)
        .optional(),
      city: z.string().max(200).optional(),
      town: z.string().max(200).optional(),
      village: z.string().max(200).optional(),
    })
    .default({}),
});

/** Names places: by the maps service if it is configured and responds, else from built-in data. */
export const createGeocoder =
  (maps: MapsService | undefined): Geocode =>
  async (at, { language, log }) => {
    if (maps) {
      try {
        return await queryService(maps, at, language);
      } catch (error) {
        log.warn({ err: error }, 'the maps service did not name a place; built-in names are used');
      }
    }
    const found = await findTown(at);
    return { name: nameOf(found, language), ...found, attribution: 'GeoNames' };
  };

/** Country and nearest town from built-in data, without the maps service. */
export const findTown = async (at: Coordinates): Promise<Pick<Place, 'town' | 'country'>> => {
  const { countryOf, towns } = await builtInData();
  const country = countryOf(at) ?? null;
  return { town: (country && towns.nearest(at, country)?.name) ?? null, country };
};

const nameOf = ({ country, town }: Pick<Place, 'country' | 'town'>, language: Language): string => {
  if (country === null) return '';
  const names = new Intl.DisplayNames(language, { type: 'region', style: 'short', fallback: 'code' });
  const name = names.of(country) ?? country;
  return town === null ? name : phrase(language, 'place.townInCountry', { town, country: name });
};

const queryService = async (
  { url, request }: MapsService,
  at: Coordinates,
  language: Language,
): Promise<Place> => {
  const address = new URL(`${url}/reverse`);
  const parameters = {
    format: 'jsonv2',
    zoom: 10,
    lat: at.latitude,
    lon: at.longitude,
    'accept-language': language,
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, String(value));
  const { status, body } = await request({ url: address, headers: { 'user-agent': 'SimCube' }, ...limits });
  if (status !== 200) throw new Error(`The maps service responded with status ${status}`);
  const response = responseSchema.parse(JSON.parse(body.toString('utf8')));
  const { country_code: country, city, town, village } = response.address;
  return {
    name: response.display_name,
    town: city ?? town ?? village ?? null,
    country: country?.toUpperCase() ?? null,
    attribution: response.licence,
  };
};

/** Borders and towns are loaded on first use: about 15 MB, within half a second. */
const loadBuiltInData = async () => {
  const [{ iso1A2Code }, towns] = await Promise.all([import('@rapideditor/country-coder'), loadTowns()]);
  return {
    towns,
    // Territories have their own codes in ISO 3166-1; without the level they would count as the country they belong
    // to.
    countryOf: ({ longitude, latitude }: Coordinates) =>
      iso1A2Code([longitude, latitude], { level: 'territory' }) ?? undefined,
  };
};

const builtInData = lazily(loadBuiltInData);
