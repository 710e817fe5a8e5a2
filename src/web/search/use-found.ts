import { useCallback, useEffect, useState } from 'react'
import type { SearchResults } from '../../features/overview/search/model'
import { call, queryOf } from '../api/call'
import { useAnswer } from '../api/use-answer'
import { isSearchable } from './fold'
import type { KindName } from './kinds'

/** The most that the service returns. */
export const MOST_RESULTS = 200
/** The longest search that the service takes. */
export const MAX_LENGTH = 200

interface WantedSearch {
  readonly text: string
  /** Nothing means everything. */
  readonly types: readonly KindName[]
  readonly limit: number
}

async function find({ text, types, limit }: WantedSearch): Promise<typeof SearchResults.static> {
  const { body } = await call<typeof SearchResults.static>(
    'GET',
    `search${queryOf({ q: text, types: types.join(), limit })}`,
  )
  return body
}

/** What the service finds, with the search that it answers; the last answer stays until the next one is there. */
export function useFound({ text, types, limit }: WantedSearch) {
  const q = text.trim().slice(0, MAX_LENGTH)
  const list = types.join()
  const isAsked = isSearchable(q)
  const ask = useCallback(async () => {
    if (!isAsked) return { q, list, results: [] }
    const chosen = list === '' ? [] : (list.split(',') as KindName[])
    return { q, list, ...(await find({ text: q, types: chosen, limit })) }
  }, [q, list, limit, isAsked])
  const { value, refusal, again } = useAnswer(ask)
  const isCurrent = value?.q === q && value.list === list
  return { found: isAsked ? value : undefined, isCurrent, refusal, again }
}

/** A text once nobody has typed for a moment. */
export function useSettled(text: string, afterMs: number): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), afterMs)
    return () => clearTimeout(timer)
  }, [text, afterMs])
  return settled
}
