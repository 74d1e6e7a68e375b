interface StoredFile {
  bytes: number;
  /** @returns undefined once the file is deleted */
  findPart: (part: number) => Promise<Buffer | undefined>;
}

/**
 * A stored file in its parts, of which one is held at a time.
 * @throws when it ends before its size, because it was deleted in the meantime
 */
export async function* storedParts({ bytes, findPart }: StoredFile): AsyncGenerator<Buffer> {
  let remaining = bytes;
  for (let part = 0; remaining > 0; part += 1) {
    const content = await findPart(part);
    if (!content) throw new Error('The file was deleted while it was read');
    yield content;
    remaining -= content.length;
  }
}
