import type { XmlElement } from '../xml/element'

/** Why a text is no XML that the service reads. */
export class XmlError extends Error {
  override name = 'XmlError'
}

export interface XmlReader {
  /**
   * Returns the root element of a text. Refuses document types, elements within more than 32 others, elements with more than 64 attributes, and more
   * than 25 000 elements.
   * @throws {XmlError}
   */
  read(text: string): XmlElement
  /** The same for a long text in UTF-8, with a pause after each piece in which others may run. @throws {XmlError} */
  readInPieces(bytes: Uint8Array, pause: () => Promise<void>): Promise<XmlElement>
}
