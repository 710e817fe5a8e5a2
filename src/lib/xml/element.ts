/** An XML element as it was sent: names are `{namespace}local`. */
export interface XmlElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly children: readonly XmlElement[]
  /** The text directly inside, with CDATA. */
  readonly text: string
  /** Texts and elements in their order, where an element holds both. */
  readonly nodes?: ReadonlyArray<XmlElement | string>
}

/** The first child of that name. */
export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name)

/** The text of the first child of that name, without the spaces around it. */
export const textOfChild = (element: XmlElement, name: string): string | undefined =>
  childOf(element, name)?.text.trim()
