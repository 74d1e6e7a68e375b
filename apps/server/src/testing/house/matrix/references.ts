import { type EndpointShape, headers } from '@simcube/contract';
import type { makeOrganisation, TestApp, TestClient } from '../../app.ts';

/** Fields that name something of an organisation or a person. A new one must be added here, or the test fails. */
export const referenceFields = [
  'iccid',
  'selection',
  'file',
  'userId',
  'partnerCode',
  'orgCode',
  'code',
  'orgId',
  'targetCode',
  'target_code',
  'invitationId',
  'sessionId',
  'linkId',
  'shareId',
  'groupId',
  'scheduleId',
  'deliveryId',
  'accountId',
  'notificationId',
  'id',
  'upload_id',
  'orderId',
  'bundleCode',
  'billId',
  'poolId',
  'poolEventId',
  'viewId',
  'view_ids',
  'taskReference',
  'recordId',
  'records',
  'ruleId',
  'replayId',
  'templateId',
  'template_id',
  'group_id',
  'trigger',
  'scope',
  'actions',
  headers.oneTimeToken,
] as const;
export type ReferenceField = (typeof referenceFields)[number];
type Own = (client: TestClient, endpoint: EndpointShape) => unknown;
/** The values of such a field. Own things that a call uses up are created again each time. */
/** `foreign`: a value, or a function of the call that is to have it. */
export type References = Record<ReferenceField, { own: Own; foreign: unknown }>;

/** Fields that look like names of things but are not, with the reason. */
export const nonReferences: Readonly<Record<string, string>> = {
  'identity.signIn code': 'a one-time code',
  'identity.signInInvited code': 'a one-time code',
  'identity.confirmTwoFactor code': 'a one-time code',
  'identity.disableTwoFactor code': 'a one-time code',
  'identity.renewRecoveryCodes code': 'a one-time code',
  'identity.signInInvited token': 'a secret that was mailed',
  'identity.resetPassword token': 'a secret that was mailed',
  'identity.readInvitation token': 'a secret that was mailed',
  'identity.acceptInvitation token': 'a secret that was mailed',
  'account.changePermission key': 'a key of the permissions, which all organisations share',
  'account.changePermission actions': 'what the key permits',
  'account.removePermission key': 'a key of the permissions, which all organisations share',
  'bundle.topUp bundle_code': 'of the catalogue, which is the operator’s',
  'bundle.change bundle_code': 'of the catalogue, which is the operator’s',
  'audit.list actor_id': 'a filter, which finds nothing of others',
  'audit.export actor_id': 'a filter, which finds nothing of others',
  'developer.listCalls key_id': 'a filter, which finds nothing of others',
  'developer.listCalls http_code': 'a status of HTTP',
  'developer.listCalls trace_id': 'a filter, which finds nothing of others',
  'autoflow.list trigger': 'a filter',
  'autoflow.list scope': 'a filter',
  'autoflow.summary trigger': 'a filter',
  'autoflow.summary scope': 'a filter',
  'autoflow.overshoot ruleIds': 'a filter, which finds nothing of others',
  'autoflow.listRuns iccid': 'a filter, which finds nothing of others',
  'autoflow.listAllRuns iccid': 'a filter, which finds nothing of others',
  'autoflow.listAllRuns ruleId': 'a filter, which finds nothing of others',
  'autoflow.setState state': 'a state',
  'autoflow.scopeFileTemplate kind': 'a kind of files',
  'autoflow.triggers trigger': 'a kind of triggers, which all organisations share',
  'sms.list iccids': 'a filter, which finds nothing of others',
  'sms.listReplies iccids': 'a filter, which finds nothing of others',
  'report.download month': 'a month',
  'report.download kind': 'a kind of reports',
  'cdr.exportSelected format': 'a file format',
  'cdr.exportAll format': 'a file format',
  'sim.transferTemplate format': 'a file format',
  'sim.uploadInfoTemplate format': 'a file format',
  'sim.readIdentifiers file': 'only its cells are read; they are looked up by another call',
};

type Org = Awaited<ReturnType<typeof makeOrganisation>>;

/** What the things of both sides are created from. */
export interface Sides {
  test: TestApp;
  own: Org;
  foreign: Org;
  /** Another organisation in which everybody is an admin: SIMs may be transferred there. */
  beside: Org;
  clients: readonly TestClient[];
  /** Creates what all people of the organisation share. */
  superadmin: TestClient;
  /** Superadmin of the foreign organisation. */
  stranger: TestClient;
  /** One SIM on each side, used by all calls. */
  sims: Record<'own' | 'foreign', { id: number; iccid: string }>;
}
