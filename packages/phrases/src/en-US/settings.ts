/** The settings page; the contents of its tabs belong to their own areas. */
export const settings = {
  title: 'Settings',
  facts: '{{name}} · {{role}}',
  tabs: {
    profile: 'Profile',
    accounts: 'Accounts',
    organisation: 'Organisation',
    security: 'Security',
    groups: 'Notification targets',
    sms: 'SMS service',
    audit: 'Audit trail',
    preferences: 'Preferences',
  },
};
