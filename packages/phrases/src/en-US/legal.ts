/** Terms of use and privacy notice, written for a self-hosted product: the operator is the organisation that runs it. */
export const legal = {
  terms: {
    title: 'Terms of Use',
    intro:
      'These terms are between you and the organisation that runs this installation of SimCube (the operator).',
    sections: {
      service: {
        title: 'The service',
        text: 'SimCube lets business customers manage IoT SIM cards, bundles, shared data pools, messages, usage records, automation rules and invoices. What you may see and do depends on your role in your organisation.',
      },
      account: {
        title: 'Your account',
        text: 'Your account is personal. Keep your password and verification codes to yourself, and tell your admin immediately if another person may know them. What is done with your account counts as done by you.',
      },
      use: {
        title: 'Acceptable use',
        text: 'Use the service only for SIMs and devices your organisation is entitled to manage. Do not try to access data of others, to disrupt the service or the mobile networks behind it, or to send unlawful or unwanted messages.',
      },
      usage: {
        title: 'Usage and charges',
        text: 'Usage shown is provisional until late network records have arrived, normally within 48 hours. Charges follow the bundles ordered and the contract between your organisation and the operator; the published invoice is what counts.',
      },
      automation: {
        title: 'Automation and API',
        text: 'You are responsible for the rules, API keys and webhooks that you set up, and for the operations they start. Keep private keys secret and remove what you no longer need.',
      },
      availability: {
        title: 'Availability',
        text: 'The operator runs the service with reasonable care but cannot promise that it, or a mobile network, is always available. Maintenance is announced where possible.',
      },
      liability: {
        title: 'Liability',
        text: 'Nothing here limits liability that cannot be limited by law. Otherwise, liability follows the contract between your organisation and the operator.',
      },
      software: {
        title: 'The software',
        text: 'SimCube itself is licensed under the Apache License 2.0 and is provided “as is”, without warranties by its authors.',
      },
      changes: {
        title: 'Changes',
        text: 'The operator may change these terms for good reason and will ask you to accept important changes at sign-in. Questions go to the admin of your organisation or to the operator.',
      },
    },
  },
  privacy: {
    title: 'Privacy Notice',
    intro:
      'This notice describes which personal data this installation of SimCube handles. The organisation that runs it (the operator) is responsible for it.',
    sections: {
      data: {
        title: 'What is stored',
        text: 'Your name, email address, language, role, organisations, sign-in times and number of sign-ins; passwords only as a one-way hash. An audit record is kept of changes made with your account, with time and IP address.',
      },
      devices: {
        title: 'SIMs and devices',
        text: 'For SIMs: identifiers (ICCID, IMSI, MSISDN, IMEI), network, approximate location by network cell, sessions, usage and messages. Where a device belongs to a person, your organisation decides why its data is used and informs that person.',
      },
      purpose: {
        title: 'Why',
        text: 'To provide the service, to bill usage, to keep the service secure and to meet legal duties. The data is not sold and not used for advertising.',
      },
      browser: {
        title: 'In your browser',
        text: 'Your sign-in, organisation, language, time display, theme and menu state are stored in the browser, because the console cannot work without them. There are no tracking cookies and no third-party analytics.',
      },
      sharing: {
        title: 'Who sees it',
        text: 'Members of your organisation according to their roles, and the operator. Mobile networks and mail or message gateways receive what they need to carry out what you start; addresses you configure receive the notifications you ask for.',
      },
      retention: {
        title: 'How long',
        text: 'As long as your account exists, and afterwards as long as law or billing requires. API logs are kept for 30 days. Network records are kept for the time set by the operator.',
      },
      security: {
        title: 'Security',
        text: 'Connections can be encrypted, secrets are stored hashed or encrypted, access is checked on every call, and sign-in is protected against guessing.',
      },
      rights: {
        title: 'Your rights',
        text: 'You may ask to see, correct, export or delete your personal data, or object to its use. Contact the admin of your organisation or the operator; you may also complain to your data protection authority.',
      },
    },
  },
};
