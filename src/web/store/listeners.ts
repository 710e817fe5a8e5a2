/** Tells everybody who listens to a topic. */
export class Listeners<Topic> {
  readonly #byTopic = new Map<Topic, Set<() => void>>()

  subscribe(topic: Topic, listener: () => void): () => void {
    const listeners = this.#byTopic.get(topic) ?? new Set()
    this.#byTopic.set(topic, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  tell(topic: Topic): void {
    for (const listener of this.#byTopic.get(topic) ?? []) listener()
  }
}
