/** SIM list and SIM detail. */
export const sim = {
  title: 'SIMs',
  lifecycle: {
    'pre-activated': 'Pre-activated',
    active: 'Active',
    paused: 'Paused',
    expired: 'Expired',
    terminated: 'Terminated',
  },
  connection: { online: 'online', connected: 'connected', offline: 'offline', unknown: 'unknown' },
};
