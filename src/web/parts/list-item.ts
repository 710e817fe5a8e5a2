/** What a list holds. */
export interface ListItem {
  /** Names the item as long as it is in the list. */
  readonly key: string
}
