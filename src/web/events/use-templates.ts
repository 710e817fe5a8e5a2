import { useMemo } from 'react'
import type { EventTemplateView } from '../../features/events/templates/model'
import { useRecords } from '../store/use-store'

/** The templates of events by name; undefined until they are known. */
export function useTemplates(): readonly EventTemplateView[] | undefined {
  const { items, loading } = useRecords('event_template')
  const sorted = useMemo(() => items.toSorted((a, b) => a.name.localeCompare(b.name)), [items])
  return loading.is === 'loaded' ? sorted : undefined
}
