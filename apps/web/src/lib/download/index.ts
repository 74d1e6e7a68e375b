/** Makes the browser save a file under the given name. */
export const saveFile = ({ blob, name }: { blob: Blob; name: string }): void => {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Browsers read the object URL after the click handler has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/**
 * Opens a tab for a file that is still loading. Must be called in the click handler: browsers block tabs opened later. If they
 * block this one too, the file is saved instead.
 */
export const openFileTab = () => {
  const tab = window.open('', '_blank');
  return {
    show: (file: { blob: Blob; name: string }): void => {
      // Not revoked while this page exists: the tab reads the URL again when it is reloaded or saved.
      if (tab) tab.location.href = URL.createObjectURL(file.blob);
      else saveFile(file);
    },
    /** There is no file to show. */
    close: (): void => tab?.close(),
  };
};
