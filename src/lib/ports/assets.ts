/** Static files that the service serves, by name. */
export interface Assets {
  read(
    name: string,
  ): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly contentType: string } | undefined>
}
