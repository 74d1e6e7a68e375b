/** The installation is misconfigured in a way that a restart can't fix; the message is a sentence for its operator. */
export class UnusableSettings extends Error {
  override readonly name = 'UnusableSettings';
}
