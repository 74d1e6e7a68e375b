/** The pages anybody can open: sign-in, unauthorised, not found. */
export const identity = {
  login: {
    title: 'Sign in',
    subtitle: 'Manage your IoT SIMs and connectivity.',
    email: 'Email',
    emailPlaceholder: 'name@company.com',
    password: 'Password',
    showPassword: 'Show password',
    hidePassword: 'Hide password',
    code: 'Verification code',
    codeHint: 'Six digits, from your authenticator app or the email we sent you.',
    agreement: 'I accept the <terms>terms of use</terms> and the <privacy>privacy notice</privacy>.',
    submit: 'Sign in',
    submitting: 'Signing in…',
    capsLock: 'Caps Lock is on.',
  },
  unauthorised: {
    title: 'Please sign in again',
    text: 'Your sign-in has expired or is no longer valid. Nothing was lost: after signing in you return to where you were.',
    action: 'Go to login',
  },
  notFound: {
    title: 'There is no such page',
    text: 'The address may be mistyped, or the page may have moved.',
    action: 'Go to the start page',
  },
};
