import type { FieldDescriptions } from './types.ts';

export const dashboard: FieldDescriptions = {
  total_sims: 'Number of SIMs of the organisation',
  active_sims: 'Active SIMs, compared with a week ago',
  'card.response.data.usage_bytes':
    'Usage in the calendar month of business days so far, compared with the previous month up to the same day',
  overage_sims: 'SIMs whose usage exceeds their limit in the current cycle, compared with yesterday',
  expiring_sims: 'SIMs whose last bundle order ends within 45 days',
  within_7_days: 'Number of those that expire within 7 days',
  value: 'The figure now',
  'usage_bytes.value': 'The figure now, in bytes, up + down',
  compared_with: 'The figure that it is compared with; null if there is none yet',
  trend:
    'The figure of the last 14 business days, oldest first, today last; fewer if the first figures are more recent. A day for which none were stored has those of the day before',
  'data.cycle': 'The calendar month of business days',
  'cycle.started_at': 'Start (UTC) of the month',
  'cycle.ends_at': 'End (UTC) of the month, exclusive',
  range: '`24h` by hour, `week` by day, `6months` by month',
  points: 'Usage by hour, day or month, oldest first',
  'points.at': 'Start (UTC) of the hour or business day, or the month (`YYYY-MM`)',
  previous_bytes:
    'Bytes of the same hour of the previous day; null if the organisation did not exist yet, and unless the range is `24h`',
  'data.total': 'Number of SIMs of the organisation',
  'data.lifecycle': 'Number of SIMs by lifecycle status',
};

export const heatmap: FieldDescriptions = {
  metric: 'The figure to show: `usage` in bytes, `sims`: active SIMs, or `sessions`',
  'query.from': 'First business day',
  'query.to': 'Last business day, inclusive; a period has at most 31 days',
  country: 'ISO 3166-1 alpha-2 code of the network’s country; null if it is unknown',
  'query.country': 'Only networks of this country (ISO 3166-1 alpha-2; `ZZ`: unknown)',
  'query.network': 'Only this network by MCC and MNC, such as `262-02`',
  'query.radio': 'Only this radio type',
  period: 'The requested business days',
  'period.from': 'First day',
  'period.to': 'Last day, inclusive',
  'data.compared':
    'Days of the period that are compared: those that are over, because the running day is not whole; null if none is over',
  'compared.from': 'First day',
  'compared.to': 'Last day, inclusive',
  compared:
    'The requested figure (bytes, SIMs or sessions, by `metric`) in the days that are compared; 0 if none is, null if it is not known: SIMs if none of the days is counted, sessions if one of them is not',
  'data.before':
    'Days that they are compared with: the same of the previous month if the period begins with a month, otherwise as many days just before',
  'before.from': 'First day',
  'before.to': 'Last day, inclusive',
  before:
    'The requested figure (bytes, SIMs or sessions, by `metric`) in the days that they are compared with; null if it is not known, as in `compared`',
  uncounted_days:
    'Days of the period with usage whose SIMs, sessions and cells are not counted: figures of these are of the other days',
  'figures.response.data.total': 'All networks',
  usage: 'Bytes in the period, up + down',
  sims: 'SIMs with usage on an average day, rounded; at least 1 if there are any',
  sessions: 'Sessions with usage, counted on each day on which they had some',
  'total.sims':
    'SIMs with usage on an average counted day, rounded; at least 1 if there are any; null if no day is counted',
  'total.sessions':
    'Sessions with usage, counted on each day on which they had some; null if no day of the period is counted',
  'total.cells': 'Number of cells with usage',
  'countries.cells': 'Number of cells of the country with usage',
  days: 'The requested figure (bytes, SIMs or sessions, by `metric`) of each day of the period; null if it is not counted',
  countries: 'By the requested figure in descending order; their usage adds up to the total',
  operators: 'Networks by the requested figure in descending order, at most 100',
  west: 'Western edge of the map in degrees (WGS 84), -180 to 180',
  south: 'Southern edge of the map in degrees (WGS 84), -90 to 90',
  east: 'Eastern edge of the map in degrees (WGS 84), -180 to 180',
  north: 'Northern edge of the map in degrees (WGS 84), -90 to 90',
  resolution: 'Resolution of the H3 grid, higher for smaller hexagons',
  hexagons:
    'Each as longitude and latitude of the centre and, relative to it, of two adjacent corners, in thousandths of a degree, then the requested figure. Opposite corners are mirrored, and the corner after two others is the second minus the first',
  'hexagons.response.data.total':
    'The requested figure (bytes, SIMs or sessions, by `metric`) of all cells, anywhere',
  unplaced:
    'The requested figure (bytes, SIMs or sessions, by `metric`) of cells whose location is unknown, including usage on days that are not counted',
  'cells.response.data.total': 'Number of cells with usage; `cells` has the first 1,000',
  'data.cells': 'Cells by usage in descending order',
  'cells.cell':
    'Cell: MCC, MNC and cell identity (`214-07-12345`), of GSM and UMTS with the area (`214-07-1001-52`)',
  'cells.sims': 'Number of SIMs with usage in the cell',
  radios: 'Radio types of the usage; empty if no record names one',
  'cells.last_seen_at': 'End (UTC) of the last record of the cell in the period',
  town: 'The nearest town, at most 50 km away; null if there is none or the location is unknown',
};

export const place: FieldDescriptions = {
  longitude: 'Degrees east (WGS 84), -180 to 180',
  latitude: 'Degrees north (WGS 84), -90 to 90',
  name: 'Town and country in the language of the request, or the name that the maps service gives the place; empty at sea',
  town: 'The nearest town of that country, at most 50 km away; null if there is none',
  country: 'ISO 3166-1 alpha-2 code; null at sea',
  attribution: 'Attribution of the data, to be shown beside the name',
};
