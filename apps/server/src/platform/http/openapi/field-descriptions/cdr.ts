import { under } from './sims.ts';
import type { FieldDescriptions } from './types.ts';

const recordFilter: FieldDescriptions = {
  from: 'Start (UTC), inclusive, of the span in which records ended; by default 31 natural days before the end',
  to: 'End (UTC), exclusive, of the span in which records ended; by default now. A span has at most 31 natural days (UTC)',
  country: 'Countries of the visited networks (ISO 3166-1 alpha-2; `ZZ`: unknown), any of them',
  operator: 'Visited networks by MCC and MNC, such as `262-01` (`000-00`: unknown), any of them',
  radio: 'Radio types, any of them',
  apn: 'Exact access point names, in any case, any of them',
  session: 'Session of the records, as in their `session`',
  source: '`radius`: accounting of the network; `file`: imported by the operator',
};
const filter: FieldDescriptions = {
  ...recordFilter,
  identifiers:
    'ICCIDs, IMSIs or MSISDNs, mixed, any of them; also of SIMs that belonged to the organisation at that time. An empty list matches no records',
};

export const cdr: FieldDescriptions = {
  'path.partnerCode': 'Code of the organisation, which must be that of the call',
  ...under('body', filter),
  ...under('filter', filter),
  ...under('query', {
    ...recordFilter,
    country: 'Country of the visited network (ISO 3166-1 alpha-2; `ZZ`: unknown)',
    operator: 'Visited network by MCC and MNC, such as `262-01` (`000-00`: unknown)',
    radio: 'Radio type',
    apn: 'Exact access point name, in any case',
  }),
  'body.filter': 'Records that match every given field',
  id: 'ID of the record: ICCID, end in microseconds since 1970, and a number',
  recordId: 'ID of the record',
  'data.started_at':
    'Start (UTC) of the usage: the previous update of the session, its start, or as the file says',
  ended_at: 'Time (UTC) of the update that reported the usage: the time of the record',
  imsi: 'IMSI (3GPP TS 23.003) of the SIM at that time, 6 to 15 digits',
  msisdn: 'Phone number of the SIM (ITU-T E.164) without `+`; null if it has none',
  device_name: 'Name of the device; null if it has none, or the SIM now belongs to another organisation',
  'data.apn': 'APN of the session; null if the record names none',
  'place.latitude': 'Degrees north (WGS 84)',
  'place.longitude': 'Degrees east (WGS 84)',
  'data.radio': 'Radio type (3GPP-RAT-Type); null if the record names none',
  'data.bundle': 'Name of the basic bundle that was in use; null if none was',
  'data.session': 'Session, for filters: ICCID and a number; null if the record belongs to none',
  'data.source': '`radius`: accounting of the network; `file`: imported by the operator',
  total_bytes: 'Bytes, up + down',
  'data.provisional': 'Whether other records of the same time may still arrive',
  network_side: 'What the network reported',
  'network_side.gateway':
    'Name of the packet gateway (RADIUS client) that reported it; null if it is no longer known, and for records from a file',
  session_id: 'Acct-Session-Id; null for records from a file',
  update:
    'Number of the record in its session, from 1; null without a session, and if that began or went on more than 31 days from the record',
  updates: 'Number of records of the session so far; null where `update` is',
  seconds_after: 'Seconds since the previous record of the session; null for the first',
  place: 'Location of the cell; null if unknown',
  counted: 'How the record was counted',
  'counted.cycle': 'The cycle whose usage it is part of',
  'cycle.provisional': 'Whether other records of the cycle may still arrive',
  order: 'The basic order in use; null if there was none',
  order_id: 'ID of the order',
  bundle_name: 'Name of its bundle',
  sales_order_id: 'Number of the sales order; null if it has none',
  used_after_bytes: 'Usage of the SIM in the cycle in bytes, up to and including this record',
  rated: 'What the usage costs; null if no tariff applies',
  'rated.tariff': 'Name of the tariff',
  tariff_from: 'First day of the tariff’s version, a business day',
  'rated.zone': 'Name of the zone; null if the usage is not charged by zone',
  included: 'Whether the bundle or shared pool covers the usage, which then is not charged',
  'rated.price_micros':
    'Price of each started unit in millionths of the currency (1 EUR = 1,000,000); null if nothing is charged',
  'rated.unit': '`MB`: 1,048,576 bytes; `block`: the size that the bundle defines',
  group_by: 'Groups to return beside the totals',
  'body.before':
    'Whether to include the previous period: as many natural days before, or the same length of time',
  'data.from': 'Start (UTC) of the span, inclusive',
  'data.to': 'End (UTC) of the span, exclusive',
  'data.total': 'All records of the span',
  records: 'Number of records',
  sims: 'Number of SIMs with usage',
  sessions: 'Number of sessions with usage',
  'sums.response.data.provisional': 'The part of the total that other records may still add to',
  'sumsOfSim.response.data.provisional': 'The part of the total that other records may still add to',
  counted_until: 'Time (UTC) up to whose records SIMs and sessions are counted',
  'data.before': 'The previous period; null if it was not asked for',
  'before.from': 'Start (UTC) of the previous period, inclusive',
  'before.to': 'End (UTC) of the previous period, exclusive',
  'before.total': 'All records of the previous period',
  groups:
    'Totals by each requested grouping. All hours and days of the span, also empty ones; other groups by volume in descending order, at most 1,000 SIMs',
  'groups.key':
    'Start of the hour (UTC), day, country, network (`262-01`), radio type, day with radio type (`2026-11-01 4G`) or network, or ICCID',
  'groups.name': 'Name of the operator, or of the SIM’s device; null if unknown, and in other groups',
  'groups.country': 'Country of the network, ISO 3166-1 alpha-2; null in other groups',
  'groups.provisional': 'The part of the group that other records may still add to',
  'groups.before':
    'The same group in the previous period, for hours and days the one at the same position; null if not asked for, and for combined groups',
  'data.country': 'ISO 3166-1 alpha-2 code; `ZZ`: unknown',
  operators: 'Number of networks of the country with usage',
  'data.operator': 'Network by MCC and MNC, such as `262-01`; `000-00`: unknown',
  'data.name': 'Name of the operator; null if unknown',
  'listCells.query.iccid': 'Only the cells of this SIM',
  'listCells.query.country': 'Only cells of networks of this country (ISO 3166-1 alpha-2)',
  'data.cell':
    'Cell: MCC, MNC and cell identity (`214-07-12345`), of GSM and UMTS with the area (`214-07-1001-52`); null if the record names none',
  'listCells.response.data.cell':
    'Cell: MCC, MNC and cell identity (`214-07-12345`), of GSM and UMTS with the area (`214-07-1001-52`)',
  'listCells.response.data.sims': 'Number of SIMs with usage in the cell',
  'listCells.response.data.last_seen_at': 'End (UTC) of the last record of the cell',
  'exportSelected.body.records': 'IDs of the records',
  columns: 'Columns of the file; all if omitted',
  rows: 'A row for each record, for each SIM, or for each day and network',
};
