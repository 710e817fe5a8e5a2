/** Codings of a file that a browser may ask for (RFC 9110, section 8.4.1). */
export type Encoding = 'br' | 'gzip'

interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly contentType: string
  /** Absent when the bytes are not compressed. */
  readonly encoding?: Encoding
}

/** Static files that the service serves, by name. */
export interface Assets {
  /** Returns the file, compressed if asked for and if there is such a variant; undefined when there is no such file. */
  read(name: string, encoding?: Encoding): Promise<Asset | undefined>
}
