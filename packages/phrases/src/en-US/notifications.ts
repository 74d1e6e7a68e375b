/** Texts of notifications, by kind; `short` is that of a message to a phone. */
export const notifications = {
  test: {
    subject: 'Test notification from SimCube',
    preview: 'Notifications reach this address.',
    title: 'This is a test',
    body: 'Somebody tests the notification target {{target}}. Notifications reach this address.',
    note: 'There is nothing to do.',
    short: 'SimCube: test of the notification target {{target}}.',
  },
  targetFailing: {
    subject: 'Notifications do not reach {{target}}',
    preview: '{{reason}}.',
    title: 'The API target {{target}} is failing',
    body: 'Requests to {{address}} have failed several times in a row. {{reason}}. SimCube keeps trying, with growing pauses.',
    note: 'If nothing succeeds for 24 hours, the target is paused. Its last deliveries are under Settings, Notification targets.',
    short: 'SimCube: notifications do not reach {{target}} ({{address}}). {{reason}}.',
  },
  targetPaused: {
    subject: 'The API target {{target}} was paused',
    preview: '{{reason}}.',
    title: 'The API target {{target}} was paused',
    body: 'SimCube no longer sends notifications to {{address}}. {{reason}}.',
    note: 'Once it works again, resume it under Settings, Notification targets. What was not delivered until then is not sent later.',
    short: 'SimCube: the API target {{target}} ({{address}}) was paused. {{reason}}.',
  },
};
