import type { FieldDescriptions } from './types.ts';

/** Envelope, pages, tasks, files, and names with one meaning in every call. */
export const everyCall: FieldDescriptions = {
  'response.data': 'Result of the call; null if it failed',
  'response.status': 'Whether the call succeeded, and if not, why',
  'status.success': 'False if the call had no effect; `code` and `message` then say why',
  'response.status.code':
    '`CB-00-0000`, or the code of the error (`CB-MM-EEEE`), which is the same in every language',
  'response.status.message': 'Text for people, in the language of the `Accept-Language` header',
  'status.detail': 'Omitted unless there is more to say about the error',
  'detail.issues': 'Invalid fields of the request, at most 50',
  'issues.path':
    'Position of the field in the request, names and indexes separated by dots, such as `tags.2`',
  'issues.key': 'Kind of problem, the same in every language',
  'issues.values': 'Values that the message contains, such as the maximum; omitted if it contains none',
  'issues.message': 'Text for people, in the language of the `Accept-Language` header',
  resultCode:
    'Four digits: `0000` if the call succeeded, `0502` if the session was ended elsewhere, otherwise a code of the error',
  total_count: 'Number of items on all pages; omitted where it is not counted',
  total_relation: '`gte` if there are at least `total_count` items: large lists are not counted to the end',
  'response.next_cursor':
    '`cursor` for the next page; null on the last page. Omitted by calls that are not lists',
  as_of: 'Time (UTC) at which a list was read, in ISO 8601; omitted by other calls',
  snapshot:
    'Database transactions that the data includes (`xmin:xmax:xip`). A live event is newer if the transaction at the beginning of its id is not included',
  'response.trace_id': 'Identifies the request in the server’s logs; quote it when reporting a problem',
  trace_id: 'Trace ID of the request that caused it; null if none did',

  page_no: 'Page number, from 1; ignored with `cursor`. Far pages are read faster with `cursor`',
  page_size: 'Items of a page; the console uses 10, 20, 50 or 100',
  cursor:
    '`next_cursor` of the previous response, with the same filter and sort order: continues after its last item, even if items were added or removed since',
  sort: 'Column to sort by; `-` before it sorts in descending order',
  version: 'Version of what is stored, which each saved change increments',
  'body.version':
    'The version that the change is based on: refused with `CB-00-0409` if somebody saved another one since; the current one if omitted',

  orgCode: 'Code of the organisation',
  tenantId: 'UUID of the organisation, sent in the `tenant-id` header',
  userId: 'UUID of the person',
  created_at: 'Time of creation (UTC)',
  updated_at: 'Time of the last change (UTC)',
  at: 'Time (UTC) at which it happened',
  time_zone: 'Time zone of the IANA database, such as `Europe/Madrid`',
  provisional_from: 'Usage from this time (UTC) on is provisional: records of it may still arrive',
  currency: 'ISO 4217 code, such as `EUR`',
  language: 'Language of texts',
  device_name: 'Name given to the device in which the SIM is; null if none was given',
  iccid: 'ICCID (ITU-T E.118) of the SIM, 18 to 22 characters',
  imsi: 'IMSI (3GPP TS 23.003), 6 to 15 digits',
  msisdn: 'Phone number of the SIM in international format (ITU-T E.164) without `+`; null if it has none',
  own: 'Whether the SIM still belongs to the organisation; if not, its details can’t be opened',

  reference_id: 'Reference of the task, `T` and digits; its progress is in the task centre',
  quantity: 'Number of items of the task',
  task: 'Reference of the task that did it; null if none did',
  format: 'CSV, or an Excel workbook',
  'body.file': 'The file',
  replaces: 'A previous upload of the same person that is discarded if it was not applied',
  upload_id: 'Identifies the checked file for one hour, in the call that applies it',
  wrong_rows: 'Number of rows with errors',
  errors: 'Errors of the first invalid rows',
  'errors.row': 'Row number in the file; the header is row 1',
  'errors.column': 'Heading of the column',
  'errors.value': 'Content of the cell, shortened if long',
  'errors.code': 'Error code, as in `status.code`',
  'errors.message': 'What is wrong, in the language of the request',
  preview: 'True: changes nothing and returns what would happen. False: the work becomes a task',
  'data.preview': 'What would happen; null if the request was not for a preview',
  selected: 'Number of selected SIMs',
  changing: 'Number of selected SIMs that are changed',
  refused: 'Selected SIMs that can’t be changed, by reason',
  'refused.code': 'Code of the reason, as in `status.code`',
  'refused.message': 'The reason in the language of the request',
  'refused.count': 'Number of SIMs refused for this reason',
  'refused.iccids': 'ICCIDs of the first 20 of them; the report of the task lists all',
  selection: 'The SIMs: a list of ICCIDs, or all that match a filter',
  'selection.iccids': 'ICCIDs, each at most once',
  'selection.filter': 'SIMs that match every given field, when the call is made',
  'selection.except': 'ICCIDs that are left out although they match',

  actor: 'Who did it',
  'actor.kind':
    '`person`; `key`: a person’s API key; `operator`: the operator at the command line; `system`: SimCube itself',
  'actor.id': 'UUID of the person or API key; null for the operator and the system',
  'actor.name': 'Name at that time',
  number: 'Number of the entry in the organisation’s audit trail, from 1 without gaps',
  before:
    'Values of the changed fields before the change; null if the object did not exist. Never contains secrets',
  after:
    'Values of the changed fields after the change; null if the object no longer exists. Never contains secrets',
};
