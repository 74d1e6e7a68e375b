/** The diagnose report: in the console, behind its public link, and as PDF. */
export const diagnose = {
  lights: { good: 'Good', warning: 'Attention', bad: 'Fault', unknown: 'Unknown' },
  overall: {
    good: 'No problems found.',
    unknown: 'No fault found, but not everything could be checked.',
    warning: 'The SIM has service or can get it, but something needs attention.',
    bad: 'A fault prevents the SIM from working properly.',
  },
  checks: {
    card: 'Card',
    lifecycle: 'Lifecycle',
    order: 'Bundle order',
    quota: 'Data quota',
    authorisation: 'Authorisation',
    registration: 'Registration',
    session: 'Session',
    apn: 'APN',
    ip: 'IP address',
    imei: 'Device (IMEI)',
    coverage: 'Coverage',
    rejects: 'Rejections',
  },
};
