/** Hands a file to the browser, which saves it under the name. */
export const saveFile = ({ blob, name }: { blob: Blob; name: string }): void => {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers read the address after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/**
 * A tab for a file that is on its way, opened by the press itself: browsers refuse one that opens later. Where they refuse
 * this one too, the file is saved.
 */
export const openFileTab = () => {
  const tab = window.open('', '_blank');
  return {
    show: (file: { blob: Blob; name: string }): void => {
      // For as long as this page is there: the tab reads it again when it is reloaded or saved.
      if (tab) tab.location.href = URL.createObjectURL(file.blob);
      else saveFile(file);
    },
    /** Nothing is to be shown. */
    close: (): void => tab?.close(),
  };
};
