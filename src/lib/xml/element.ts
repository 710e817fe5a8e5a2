/** An XML element as it was sent: names are `{namespace}local`. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text directly inside, with CDATA. */
  readonly text: string
}

/** The first child of that name. */
export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name)
