/** The settings' frame; what stands in its tabs belongs to the areas themselves. */
export const settings = {
  title: 'Settings',
  facts: '{{name}} · {{role}}',
  tabs: {
    profile: 'Profile',
    accounts: 'Accounts',
    organisation: 'Organisation',
    security: 'Security',
    groups: 'Notification groups',
    audit: 'Audit trail',
    preferences: 'Preferences',
  },
};
