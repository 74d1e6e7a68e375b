/** Words that any screen may use. */
export const common = {
  product: 'SimCube',
  success: 'Success',
  actions: {
    cancel: 'Cancel',
    copied: 'Copied',
    copyFailed: 'The browser did not allow copying: select the text and copy it yourself',
    reload: 'Reload',
    retry: 'Try again',
  },
  languages: {
    'en-US': 'English',
    'zh-CN': '简体中文',
    'zh-TW': '繁體中文',
    'es-ES': 'Español',
  },
  languageShort: {
    'en-US': 'EN',
    'zh-CN': '简',
    'zh-TW': '繁',
    'es-ES': 'ES',
  },
  roles: {
    user: 'User',
    operator: 'Operator',
    admin: 'Admin',
    superadmin: 'Superadmin',
  },
  theme: {
    label: 'Theme',
    light: 'Light',
    dark: 'Dark',
    system: 'System',
  },
  time: {
    utc: 'UTC',
    local: 'Local',
    asOf: 'as of {{time}}',
  },
  states: {
    loading: 'Loading…',
    failed: 'This could not be loaded.',
    none: '—',
    nothingNear: 'No town nearby',
  },
  chosen: 'chosen',
  trace: 'Trace ID {{traceId}}',
  bytesExact: '{{bytes}} bytes',
};
