export {
  type AccountingFailure,
  type AccountingRead,
  type AccountingRecord,
  type AccountingStatus,
  accountingFailures,
  readAccounting,
} from './accounting.ts';
export { addressInPrefix, prefixOfAddress } from './addresses.ts';
export {
  AttributeWriter,
  describeAttributes,
  RadiusEncodeError,
  readAttribute,
  readAttributes,
  WRITER_CAPACITY,
} from './attribute-values.ts';
export {
  type AttributeDefinition,
  type AttributeKind,
  type AttributeName,
  type AttributeValues,
  acctStatusType,
  attribute,
  errorCause,
  framedProtocol,
  nasPortType,
  serviceType,
  terminateCause,
  terminateCauseName,
  vendor,
} from './attributes.ts';
export {
  answerChap,
  equalInConstantTime,
  hideUserPassword,
  unhideUserPassword,
  type VerifyFailure,
  verifyChap,
  verifyFailures,
  verifyRequest,
  verifyResponse,
} from './authenticators.ts';
export {
  openRadiusClient,
  type RadiusClient,
  type RadiusClientOptions,
  type RadiusClientStats,
  type RadiusReply,
  type RadiusRequest,
} from './client.ts';
export { codeName, isAccessCode, isHashedRequest, type RadiusCode, radiusCode } from './codes.ts';
export { encodeRequest, encodeResponse } from './encode.ts';
export { imeiOf, luhnDigit, readImsi } from './identities.ts';
export {
  cellKey,
  decodePlmn,
  decodeUserLocation,
  encodePlmn,
  encodeTimeZone,
  encodeUserLocation,
  type Plmn,
  parseMccMnc,
  type RatName,
  ratName,
  ratTypes,
  type UserLocation,
} from './location.ts';
export {
  type Decoded,
  type DecodeFailure,
  decodeFailures,
  decodePacket,
  HEADER_LENGTH,
  MAX_ATTRIBUTES,
  MAX_PACKET_LENGTH,
  RadiusPacket,
} from './packet.ts';
