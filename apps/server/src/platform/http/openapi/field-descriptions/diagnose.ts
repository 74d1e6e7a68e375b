import type { FieldDescriptions } from './types.ts';

export const diagnose: FieldDescriptions = {
  report: 'The report as it was stored for the link',
  organisation: 'Name of the organisation to which the SIM belongs',
  made_at: 'Time (UTC) of the diagnosis',
  overall: 'The worst light of all checks',
  checks: 'What was checked, in the order of the report',
  check: 'What was checked',
  light: '`good`, `warning`: needs attention, `bad`: a fault, `unknown`: could not be judged',
  finding: 'What was found, the same in every language',
  'checks.facts': 'Values on which the finding is based, such as a time or an APN',
  sentence: 'The finding in the language of the request',
  advice: 'What to do about it, in the language of the request; null if nothing',
  'share.response.data.id': 'Secret ID of the public report, for `linkId`; returned only here',
  expires_at: 'Time (UTC) from which the public report can’t be read any longer',
  id: 'Number of the link, for `shareId`; the secret ID is not shown again',
  shareId: 'Number of the link',
  linkId: 'Secret ID of the public report',
};
