/** The installation is set up in a way that no restart can mend; the message is a sentence for its operator. */
export class UnusableSettings extends Error {
  override readonly name = 'UnusableSettings';
}
