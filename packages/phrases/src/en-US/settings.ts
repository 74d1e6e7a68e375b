/** The settings page; the phrases of its tabs are in the files of their areas. */
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
