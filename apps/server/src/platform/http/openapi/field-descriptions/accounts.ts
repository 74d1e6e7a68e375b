import type { FieldDescriptions } from './types.ts';

/** Fields of people and their memberships, in the calls of accounts, sign-in and organisations. */
const people: FieldDescriptions = {
  email: 'Email address of the person, in lower case',
  first_name: 'First name of the person',
  last_name: 'Last name of the person',
  role: 'Role in the organisation, which determines the permissions',
  oversight:
    'Whether the account is added as admin to every organisation created below its own; for accounts of first-level organisations',
  sign_in_count: 'Number of sign-ins of the person',
  last_sign_in_at: 'Time (UTC) of the person’s last sign-in; null before the first',
  sharedPool: 'IDs of the organisation’s shared pools; empty if the caller may not read pools',
};
const isDefault = 'Whether the person is in this organisation after signing in';
const logo = 'Logo as a `data:` URL; null if the organisation has none';

export const account: FieldDescriptions = {
  ...people,
  default: isDefault,
  search: 'Part of the name or email address',
  'query.role': 'Accounts with this role',
  'query.status': 'Accounts in this status',
  'path.partnerCode': 'Code of the organisation, which must be that of the call',
  id: 'UUID of the person; for an open invitation, that of the invitation',
  locale: 'Language of the person’s console and mails',
  status: '`active`, `disabled` in this organisation, or `pending`: invited and not accepted yet',
  two_factor: 'Whether the person has two-factor authentication on',
  pending_invitation: 'The open invitation; null if there is none',
  'pending_invitation.id': 'UUID of the invitation',
  'pending_invitation.expires_at': 'Time (UTC) from which it can’t be accepted any longer',
  permissions_changed: 'Whether the permissions differ from those of the role',
  fixed:
    'Parts that the caller can’t change: `account` (role, status, removal), `person` (name and language), `password`',
  password:
    'A first password, handed over by the admin; if omitted, the person sets one when accepting the invitation',
  invitation_id: 'UUID of the invitation that was mailed',
  'listPartners.response.data.code': 'Code of the organisation',
  'listPartners.response.data.name': 'Name of the organisation',
  'listPartners.response.data.disabled': 'Whether the account is disabled in the organisation',
  joined_at: 'Time (UTC) at which the person became a member',
  effective: 'Permitted actions by permission key (`*`: every key): those of the role with the changes',
  of_role: 'Permitted actions of the role by permission key (`*`: every key)',
  changes:
    'Actions by permission key that replace those of the role for this account only; an empty list denies all',
  changeable: 'False for roles that have all permissions',
  name: 'Name of the set of changes, such as “night shift”; null if it has none',
  key: 'Permission key: the part of the product that the actions are about',
  keys: 'Permission keys whose changes are undone',
  actions:
    'Actions that replace those of the role: `operate` suspends, resumes, resets and sends, `write` manages, `all` includes the others; empty denies all',
};

export const identity: FieldDescriptions = {
  ...people,
  default: isDefault,
  logo,
  'header.email': 'Email address of the person; in a header, because logs contain URLs',
  'signIn.body.email': 'Email address of the person',
  password: 'Current password of the person',
  'changePassword.body.password':
    'New password: 6 to 12 characters with at least one letter, one digit and one symbol',
  'resetPassword.body.password':
    'New password: 6 to 12 characters with at least one letter, one digit and one symbol',
  'person.password': 'Password: 6 to 12 characters with at least one letter, one digit and one symbol',
  oldPassword: 'Current password',
  code: 'Six-digit one-time code of the authenticator app, or a recovery code',
  'signIn.body.code':
    'Six-digit one-time code (from the authenticator app, or mailed after repeated failures) or a recovery code; needed after `CB-07-0004`',
  'signInInvited.body.code':
    'Six-digit one-time code (from the authenticator app, or mailed after repeated failures) or a recovery code; needed after `CB-07-0004`',
  'confirmTwoFactor.body.code': 'First six-digit code of the authenticator app',
  agreement: 'Must be true: the terms of use and the privacy notice are accepted',
  'body.token': 'Token of the link that was mailed',
  'data.token': 'Access token of the session, sent as `Authorization: Bearer …`',
  username: 'First and last name',
  userEmail: 'Email address of the person',
  lang: 'Language of the person’s console and mails',
  loginsCount: 'Number of sign-ins of the person, this one included',
  'data.partnerCode': 'Code of the default organisation; null if the person belongs to none',
  'data.tenantId': 'UUID of the default organisation; null if the person belongs to none',
  rolesInfo: 'Organisations of the person, at most 500',
  'rolesInfo.code': 'Code of the organisation, sent in the `partner-code` header',
  'rolesInfo.name': 'Name of the organisation',
  'rolesInfo.changes':
    'Actions by permission key that replace those of the role for this account only; omitted if there are none',
  permissionsInfo: 'Permitted actions of each role of the person by permission key (`*`: every key)',
  dayOffset: 'Hours by which business days are ahead of UTC',
  language: 'Language of the person’s console and mails',
  'data.id': 'UUID of the person',
  'invite.response.data.id': 'UUID of the invitation',
  'listSessions.response.data.id': 'UUID of the session',
  invitationId: 'UUID of the invitation',
  'data.organisation': 'Name of the organisation',
  inviter: 'Name of the person who sent the invitation',
  'data.expires_at': 'Time (UTC) from which the invitation can’t be accepted any longer',
  known: 'Whether the person has a password already, which is then asked for instead of a new one',
  person: 'Name and password of the new person; needed unless the address is known',
  'acceptInvitation.response.data.code': 'Code of the organisation',
  two_factor: 'The person’s two-factor authentication',
  'two_factor.enabled': 'Whether it is on',
  recovery_codes_left: 'Number of recovery codes that were not used',
  two_factor_required: 'Whether an organisation of the person requires two-factor authentication',
  current: 'Whether it is the session of this call',
  'data.address': 'IP address of the sign-in; null if unknown',
  user_agent: '`User-Agent` of the sign-in; null if none was sent',
  last_used_at: 'Time (UTC) of the session’s last call, which extends it',
  sessionId: 'UUID of the session, or `others`: all but the current one',
  secret: 'TOTP secret (RFC 6238) in base 32, to type into an authenticator app',
  uri: '`otpauth://` address with the same secret, for a QR code',
  recovery_codes: 'Ten codes, each of which replaces one one-time code; returned only here',
  'query.userId': 'UUID of the caller',
  'last-event-id': 'Id of the last received event: the stream continues after it',
};

export const org: FieldDescriptions = {
  default: isDefault,
  logo,
  search: 'Part of the name or code',
  administered: 'Only organisations in which the person is an admin',
  id: 'Number of the organisation, for `orgId`',
  orgId: 'Number (`id`) of the organisation',
  code: 'Code of the organisation, sent in the `partner-code` header',
  'body.code': 'Code of the organisation to change',
  name: 'Legally registered full name of the organisation, 5 to 40 characters',
  country: 'Country of the organisation, ISO 3166-1 alpha-2',
  role: 'Role of the caller in the organisation',
  parent_code: 'Code of the organisation above; null for the operator',
  above: 'Codes of the organisations above it to which the person belongs, the nearest first',
  parent_name: 'Name of the organisation above; null for the operator',
  'chooseDefault.body.default': 'Always true',
  accounts: 'Maximum number of accounts, open invitations included',
  'getLimits.response.data.sub_organisations': 'Maximum number of organisations directly below it',
  sub_organisations: 'Number of organisations directly below it',
  'getSeats.response.data.limit': 'Number of seats',
  'getSeats.response.data.used': 'Seats taken by accounts and open invitations',
  'getSeats.response.data.remaining': 'Seats left',
  limit: 'Maximum number of organisations directly below it',
  used: 'Number of organisations directly below it',
  remaining: 'How many more may be created',
  allowed: 'Whether another organisation may be created below it',
  limited_by:
    'What prevents that: its number of sub-organisations, the levels below it, or the organisations that the caller belongs to; null if nothing does',
  sms_quota: 'SMS quota per month of business days, as it was set',
  'sms_quota.kind':
    '`inherit`: the quota of the organisation above; `unlimited`; `none`: no messages; `custom`: a number',
  messages: 'Parts of messages per month, at most the quota of the organisation above',
  sms_quota_messages:
    'Effective quota in parts per month, also limited by those of all organisations above; null: no limit',
  'verifySubOrganisations.response.data.sms_quota_messages':
    'Maximum quota of a new organisation in parts per month; null: no limit',
  first_level: 'Whether it is directly below the operator',
  settlement: 'Whether bills are issued to it',
  name_fixed: 'Whether nobody can edit its name, because it was created as a settlement customer',
  security:
    'What it requires of its people’s sign-ins; null in a response to people who may not see its accounts',
  'security.two_factor_required': 'Whether only people with two-factor authentication have access',
  session_idle_hours: 'Hours without a call after which a session ends, 1 to 12',
  session_hours: 'Hours after which a session ends in any case, 1 to 168',
  allowed_networks:
    'IPv4 and IPv6 networks in CIDR notation from which people and API keys have access; empty: from everywhere',
};
