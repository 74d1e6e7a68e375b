import type { Schema } from './document-fields.ts';

const iccid = '8988303000012345678';
const organisation = 'ACME';
const task = 'T00001234';
const uuid = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const digest = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** Examples by the names of fields; the same thing has the same value in every call. */
export const fieldExamples: Readonly<Record<string, string | readonly string[]>> = {
  apn: 'iot.example',
  cell: '214-07-12345',
  currency: 'EUR',
  delivery_note_number: 'DN-2026-0118',
  device_name: 'Meter 12',
  digest,
  email: 'ana@example.com',
  emails: ['ana@example.com'],
  first_name: 'Ana',
  iccid,
  iccids: [iccid],
  identifiers: [iccid],
  imei: '356938035643809',
  imsi: '214070000012345',
  ip: '10.64.3.17',
  last_imei: '356938035643809',
  last_name: 'García',
  mcc: '214',
  mnc: '07',
  month: '2026-11',
  msisdn: '34600123456',
  number: 'BILL-2026-11-00042',
  orgCode: organisation,
  org_code: organisation,
  partnerCode: organisation,
  phones: ['34600123456'],
  preview_digest: digest,
  reference_id: task,
  resultCode: '0000',
  target_code: 'ACME-EAST',
  task,
  taskReference: task,
  tenantId: uuid,
  time_zone: 'Europe/Madrid',
  trace_id: uuid,
  upload_id: uuid,
  url: 'https://hooks.example.com/simcube',
};

/** The example of a field with this name; undefined if there is none, or it is of another kind than the field. */
export const exampleOf = (name: string, schema: Schema): string | readonly string[] | undefined => {
  const example = Object.hasOwn(fieldExamples, name) ? fieldExamples[name] : undefined;
  return example !== undefined && fits(example, schema) ? example : undefined;
};

const fits = (example: string | readonly string[], schema: Schema): boolean => {
  if (schema.enum || schema.const !== undefined) return false;
  if (schema.anyOf) return (schema.anyOf as Schema[]).some((one) => fits(example, one));
  if (typeof example !== 'string') return schema.type === 'array' && isText(schema['items'] as Schema);
  return isText(schema) && (schema.pattern === undefined || new RegExp(schema.pattern, 'u').test(example));
};

const isText = ({ type, enum: values, format }: Schema): boolean =>
  [type].flat().includes('string') && !values && format !== 'date-time' && format !== 'date';
