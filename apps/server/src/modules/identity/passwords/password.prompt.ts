import { readSecret, readSecretLine } from '../../../platform/cli/index.ts';

/**
 * A password from the terminal without echo, or the first line of standard input.
 * @throws Error when there is neither
 */
export const readPassword = async ({ prompt }: { prompt: boolean }): Promise<string> => {
  if (!prompt) return readSecretLine();
  if (!process.stdin.isTTY) throw new Error('No terminal to prompt for the password: use --password-stdin');
  const password = await readSecret('Password');
  // The specification's words (section 5).
  if ((await readSecret('Once more')) !== password) throw new Error('Passwords are different');
  return password;
};
