import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { otherOrganisationErrors } from '../errors.ts';
import { pageSchema } from '../paging.ts';
import { searchSchema } from '../text.ts';
import {
  enterpriseBodySchema,
  enterpriseSchema,
  listedOrganisationSchema,
  newOrganisationBodySchema,
  organisationSchema,
  remainingSchema,
} from './schemas.ts';

const member = { kind: 'signed-in', member: true } as const;
/** "Insufficient permissions" has a separate code here (specification, section 8). */
const manage = { kind: 'permission', key: 'account', action: 'write', refused: 'CB-07-0134' } as const;
const orgParams = z.strictObject({ orgCode: z.string().max(40) });

export const orgEndpoints = {
  listMine: endpoint({
    id: 'org.listMine',
    method: 'GET',
    path: '/customer/orgs',
    summary: 'Organisations that the person belongs to, the default one first',
    access: { kind: 'signed-in', member: false },
    query: pageSchema.extend({
      search: searchSchema(40).optional(),
      /** Only those in which the person is an admin. */
      administered: z.literal('true').optional(),
    }),
    response: z.array(listedOrganisationSchema),
    list: true,
    errors: [],
    retry: 'safe',
  }),
  create: endpoint({
    id: 'org.create',
    method: 'POST',
    path: '/customer/orgs',
    summary:
      'Create an organisation below the current one; its creator and accounts with oversight become its admins',
    access: manage,
    body: newOrganisationBodySchema,
    response: organisationSchema,
    errors: ['CB-07-0016', 'CB-07-0023', 'CB-07-0030', 'CB-07-0134', 'CB-07-0135'],
    retry: 'never',
    audit: 'organisation.created',
  }),
  chooseDefault: endpoint({
    id: 'org.chooseDefault',
    method: 'POST',
    path: '/customer/orgs/{orgId}',
    summary: "Choose one of one's organisations as the default at sign-in",
    access: { kind: 'signed-in', member: false },
    params: z.strictObject({ orgId: z.string().regex(/^\d{1,18}$/) }),
    body: z.strictObject({ default: z.literal(true) }),
    response: organisationSchema,
    errors: ['CB-07-0029'],
    retry: 'safe',
    audit: 'organisation.default-chosen',
  }),
  getLimits: endpoint({
    id: 'org.getLimits',
    method: 'GET',
    path: '/customer/org/user/config/{orgCode}',
    summary: 'Maximum number of accounts and sub-organisations',
    access: member,
    params: orgParams,
    response: z.object({ accounts: z.number().int(), sub_organisations: z.number().int() }),
    errors: ['CB-07-0029', ...otherOrganisationErrors],
    retry: 'safe',
  }),
  getSeats: endpoint({
    id: 'org.getSeats',
    method: 'GET',
    path: '/customer/org/user/config/user_surplus/{orgCode}',
    summary: 'Seats taken by accounts and open invitations, and seats left',
    access: member,
    params: orgParams,
    response: remainingSchema,
    errors: ['CB-07-0029', ...otherOrganisationErrors],
    retry: 'safe',
  }),
  verifySubOrganisations: endpoint({
    id: 'org.verifySubOrganisations',
    method: 'GET',
    path: '/customer/sub_org_qty_setting/verify/{orgCode}',
    summary:
      'Whether the caller may create another sub-organisation, what prevents it, and its maximum SMS quota (null: no limit)',
    access: member,
    params: orgParams,
    response: remainingSchema.extend({
      allowed: z.boolean(),
      /** `memberships`: those of the caller, who would belong to the new organisation, too. */
      limited_by: z.enum(['sub_organisations', 'levels', 'memberships']).nullable(),
      sms_quota_messages: z.number().int().nullable(),
    }),
    errors: ['CB-07-0029', ...otherOrganisationErrors],
    retry: 'safe',
  }),
  getEnterprise: endpoint({
    id: 'org.getEnterprise',
    method: 'GET',
    path: '/customer/enterprises/selectByOrgCode/{orgCode}',
    summary: 'One organisation with its settings',
    access: member,
    params: orgParams,
    response: enterpriseSchema,
    errors: ['CB-07-0029', ...otherOrganisationErrors],
    retry: 'safe',
  }),
  updateEnterprise: endpoint({
    id: 'org.updateEnterprise',
    method: 'PUT',
    path: '/customer/enterprises',
    summary: 'Change name, country, SMS quota or security settings',
    access: manage,
    body: enterpriseBodySchema,
    response: enterpriseSchema,
    errors: [
      'CB-07-0027',
      'CB-07-0029',
      'CB-07-0030',
      'CB-07-0131',
      'CB-07-0133',
      'CB-07-0134',
      'CB-07-0135',
      ...otherOrganisationErrors,
    ],
    retry: 'safe',
    audit: 'organisation.updated',
  }),
  deleteEnterprise: endpoint({
    id: 'org.deleteEnterprise',
    method: 'DELETE',
    path: '/customer/enterprises/delete/cube/{orgCode}',
    summary: 'Delete an organisation without SIMs, orders and sub-organisations',
    access: manage,
    params: orgParams,
    response: z.null(),
    errors: ['CB-07-0029', 'CB-07-0132', 'CB-07-0134', ...otherOrganisationErrors],
    retry: 'never',
    audit: 'organisation.deleted',
  }),
} as const;
