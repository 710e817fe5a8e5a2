import { useCallback, useState } from 'react'
import { call, queryOf } from '../api/call'
import { type Refusal, refusalOf } from '../api/refusal'
import { useAnswer } from '../api/use-answer'
import type { Version } from './differences'

interface VersionsPage {
  readonly versions: readonly Version[]
  readonly next_cursor: string | null
}

const readPage = async (path: string, cursor?: string): Promise<VersionsPage> =>
  (await call<VersionsPage>('GET', `${path}/history${queryOf({ cursor })}`)).body

/** The versions of a record, newest first, as far as they are read. */
export function useVersions(path: string) {
  const first = useAnswer(useCallback(() => readPage(path), [path]))
  const [later, setLater] = useState<readonly VersionsPage[]>([])
  const [refusal, setRefusal] = useState<Refusal>()
  const [isReading, setReading] = useState(false)
  const pages = first.value ? [first.value, ...later] : []
  const cursor = pages.at(-1)?.next_cursor ?? undefined
  const readMore = async () => {
    setReading(true)
    try {
      const page = await readPage(path, cursor)
      setLater((before) => [...before, page])
      setRefusal(undefined)
    } catch (error) {
      const refused = refusalOf(error)
      if (!refused) throw error
      setRefusal(refused)
    } finally {
      setReading(false)
    }
  }
  return {
    versions: first.value && pages.flatMap(({ versions }) => versions),
    refusal: first.refusal ?? refusal,
    again: first.refusal ? first.again : () => void readMore(),
    hasMore: cursor !== undefined,
    isReading,
    readMore: () => void readMore(),
  }
}
