/** Recipients of notifications: address groups and SMS subscribers. */
export const notify = {
  kind: 'Kind of group',
  kinds: { email: 'Email', sms: 'SMS' },
  label: { email: 'Address groups', sms: 'SMS subscriber groups' },
  search: { email: 'Search by name or email', sms: 'Search by name or phone' },
  new: { email: 'New address group', sms: 'New SMS group' },
  create: { email: 'New address group', sms: 'New SMS subscriber group' },
  edit: 'Edit {{name}}',
  rowMenu: 'Actions for {{name}}',
  actions: { edit: 'Edit' },
  fields: { name: 'Name', count: 'Members', created: 'Created' },
  addresses: { email: 'Email addresses', sms: 'Phone numbers' },
  hint: {
    email: 'Up to {{max}}. Press Enter after each, or paste a list.',
    sms: 'Up to {{max}}, in international format without “+”, such as 4915112345678. Press Enter after each, or paste a list.',
  },
  make: 'Create',
  save: 'Save',
  made: '{{name}} was created',
  saved: '{{name}} was saved',
  empty: { email: 'No address groups yet', sms: 'No SMS subscriber groups yet' },
  emptyHint: {
    email: 'Everyone in a group receives the same notifications by email.',
    sms: 'Every number in a group receives the same notifications by SMS.',
  },
  noMatch: 'No group matches',
  noMatchHint: 'Check the spelling, or search for part of the name.',
};
