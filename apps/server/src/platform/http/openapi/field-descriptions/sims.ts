import type { FieldDescriptions } from './types.ts';

const under = (parent: string, descriptions: FieldDescriptions): FieldDescriptions =>
  Object.fromEntries(Object.entries(descriptions).map(([key, text]) => [`${parent}.${key}`, text]));

/** Fields of the filter of SIMs: of the list, of selections, of saved views. */
const simFilter: FieldDescriptions = {
  search:
    'Part of ICCID, IMSI, MSISDN, last IMEI, device name, notes or a tag; one or two ASCII letters match only the beginning',
  lifecycle: 'Any of these lifecycle statuses',
  connection: 'Any of these connections',
  tags: 'Any of these tags',
  bundle: 'Codes or names of basic bundles in use, any of them',
  usage_percent_min:
    'Minimum usage of the current cycle in percent of the limit; SIMs without a limit do not match',
  usage_percent_max:
    'Maximum usage of the current cycle in percent of the limit; SIMs without a limit do not match',
  usage_bytes_min: 'Minimum usage of the current cycle in bytes',
  usage_bytes_max: 'Maximum usage of the current cycle in bytes',
  cost_min:
    'Minimum cost of the current cycle so far, in the main unit of the SIM’s currency (12.5 is 12.50 EUR); SIMs without a price do not match',
  cost_max: 'Maximum cost of the current cycle so far, in the main unit of the SIM’s currency',
  expires_within_days: 'The last bundle order ends within this many days from now',
  data_state: 'SIMs that may use data, but only at a limited rate (`slowed`) or not now (`stopped`)',
  sms_suspended: 'Whether A2P MT SMS is suspended',
  device_name: 'Part of the device name; one or two ASCII letters match only the beginning',
  notes: 'Part of the notes; one or two ASCII letters match only the beginning',
  delivery_note_number: 'Part of the delivery note number',
  chip_grade: 'Any of these chip grades',
  technology: 'Any of these SIM technologies',
  apn: 'Part of the APN that the SIM may use',
  ip: 'IP address of the last session, or the SIM’s fixed one',
  country: 'Countries (ISO 3166-1 alpha-2) of the last visited network, any of them',
  operator: 'Last visited networks by MCC and MNC, such as `262-01`, any of them',
  radio: 'Radio types of the last session, any of them',
  shipment_from: 'First shipment date',
  shipment_to: 'Last shipment date, inclusive',
  activated_from: 'Earliest time (UTC) of the first activation',
  activated_to: 'Latest time (UTC) of the first activation',
  expires_from: 'Earliest end (UTC) of the last bundle order',
  expires_to: 'Latest end (UTC) of the last bundle order',
  last_session_from: 'Earliest time (UTC) at which the last session began',
  last_session_to: 'Latest time (UTC) at which the last session began',
  imei_changed_within_days: 'The SIM was put into another device (IMEI) within this many days',
  empty: 'Fields that have no value',
  not_empty: 'Fields that have a value',
  task: 'Reference of a task: the SIMs that it was about, without those transferred since',
  identifiers: 'ICCIDs, IMSIs or MSISDNs, mixed, any of them',
};

/** Fields of SIMs, their sessions and networks. */
export const sims: FieldDescriptions = {
  ...under('filter', simFilter),
  lifecycle:
    'Lifecycle status: pre-activated SIMs can be activated, paused ones resumed and expired ones renewed; terminated is final',
  lifecycle_changed_at: 'Time (UTC) of the last change of the lifecycle status',
  activated_at: 'Time (UTC) of the first activation; null before it',
  pre_activation_ends_at: 'Time (UTC) at which the SIM is activated automatically; null if it is not',
  expires_at: 'End (UTC) of the last bundle order; null if it has no end',
  last_imei: 'IMEI of the device in which the SIM was last seen, 14 to 16 digits; null if never seen',
  imei: 'IMEI of the device, 14 to 16 digits; null if the network did not report it',
  notes: 'Free text; null if there is none',
  tags: 'Tags of the SIM, at most 10 of at most 10 characters',
  delivery_note_number: 'Number of the delivery note with which the card was shipped; null if unknown',
  shipment_on: 'Date of shipment; null if unknown',
  chip_grade: 'Grade of the card’s chip; null if unknown',
  technology: 'SIM technology; null if unknown',
  connection:
    '`online`: an open session with an update within two interim intervals; `connected`: authorised or seen within 24 hours; `offline`: the session was closed, or nothing for 24 hours; `unknown`: never seen, or nothing for 30 days',
  network_overdue:
    'Request to the network that was not carried out: `disconnect` if the SIM is still connected but must not be, `rate` if its rate limit was not changed; null if there is none',
  last_session_at: 'Time (UTC) at which the last session began; null if there was none',
  cycle_usage_bytes: 'Usage of the current cycle in bytes, up + down',
  usage_bytes: 'Usage of the current cycle in bytes, up + down',
  limit_bytes: 'Limit of the cycle in bytes: the quotas of the orders in use; null without a limit',
  uses_pool_limit:
    'Whether the SIM is an active member of a shared pool: `limit_bytes` is then its contribution, which it may exceed, and the limit of the pool applies',
  up_bytes: 'Bytes from the device',
  down_bytes: 'Bytes to the device',
  bytes: 'Bytes, up + down',
  projected_bytes:
    'Usage in bytes at the end of the cycle if it continues as so far; null if it can’t be said yet',
  over_limit: 'Whether usage in the current cycle exceeds the limit; never while `uses_pool_limit`',
  sms_suspended: 'Whether A2P MT SMS is suspended: no messages are sent to the SIM',
  data_state: 'The same as `data.state`',
  'basic.data': 'What quota, shared pool and rules leave of the SIM’s data',
  'data.data.state': '`open`: without restrictions; `slowed`: at a limited rate; `stopped`: no data',
  'basic.data.state': '`open`: without restrictions; `slowed`: at a limited rate; `stopped`: no data',
  'data.data.kbps': 'Rate limit in kbit/s while slowed: the lowest that applies; otherwise null',
  'basic.data.kbps': 'Rate limit in kbit/s while slowed: the lowest that applies; otherwise null',
  restrictions: 'What restricts the data now; empty if nothing does',
  'restrictions.by':
    '`quota`: the overage policy of the bundle; `pool`: the shared pool is over its limit; `rule`: an operation of an autoflow rule',
  'restrictions.kbps': 'Rate limit in kbit/s; null: no data',
  'restrictions.until': 'Time (UTC) at which the restriction ends; null without an end',
  apn: 'The only APN (access point name) that the SIM may use; any if null',
  ip: 'IPv4 or IPv6 address of the last session, or else the SIM’s fixed one; null if it has neither',
  organisation: 'The organisation to which the SIM belongs',
  'organisation.code': 'Code of the organisation',
  'organisation.name': 'Name of the organisation',

  network: 'The visited network; null if the gateway did not report it',
  'network.country': 'ISO 3166-1 alpha-2 code; null if the network is not in the list of known ones',
  mcc: 'Mobile country code, three digits',
  mnc: 'Mobile network code, two or three digits',
  operator: 'Name of the network’s operator; null if it is not in the list of known ones',
  radio: 'Radio type (3GPP-RAT-Type); null if the gateway did not report it',
  cell: 'Cell: MCC, MNC and cell identity (`214-07-12345`), of GSM and UMTS with the area (`214-07-1001-52`); null if the gateway did not report it',
  gateway: 'NAS-Identifier, or else address, of the packet gateway that reported it; null if unknown',
  session: 'The open session, or else the last one; null if there was none',
  'session.id': 'Acct-Session-Id of the gateway',
  'session.started_at': 'Time (UTC) at which the session began',
  'session.updated_at': 'Time (UTC) of the last accounting update',
  stopped_at: 'Time (UTC) at which the session ended; null while it is open',
  terminate_cause:
    'Name of the Acct-Terminate-Cause (RFC 2866), or a cause that SimCube found itself; null while the session is open or if none was reported',
  'session.up_bytes': 'Bytes from the device in the session so far',
  'session.down_bytes': 'Bytes to the device in the session so far',
  'session.apn': 'APN of the session; null if the gateway did not report it',
  'session.ip': 'Address of the device in the session; null if the gateway did not report it',
  since: 'Time (UTC) at which the connection became what it is; null if never seen',
  last_seen_at: 'Last time (UTC) that the network reported the SIM; null if never',
  latitude: 'Degrees north (WGS 84); null if the location is unknown',
  longitude: 'Degrees east (WGS 84); null if the location is unknown',
};
export { simFilter, under };
