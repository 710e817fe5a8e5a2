import { useEffect, useRef, useState } from 'react'
import { request } from '../api/call'
import { type Refusal, refusalOf, UNREACHABLE } from '../api/refusal'

/** How far the export of everything has come. */
export type ExportStep =
  | { readonly is: 'idle' | 'cancelled' }
  | { readonly is: 'running' | 'done'; readonly bytes: number }
  | { readonly is: 'refused'; readonly refusal: Refusal }

const NAME = 'organiser-export.json'

/** Reads the export piece by piece, which says how much is there, and gives it to the browser as a file once it is whole. */
export function useExport() {
  const [step, setStep] = useState<ExportStep>({ is: 'idle' })
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const controller = new AbortController()
    running.current = controller
    setStep({ is: 'running', bytes: 0 })
    try {
      const file = await readExport(controller.signal, (bytes) => setStep({ is: 'running', bytes }))
      save(file)
      setStep({ is: 'done', bytes: file.size })
    } catch (error) {
      // A connection that ends before the document is whole throws something of the browser's own.
      const refusal = refusalOf(error) ?? UNREACHABLE
      setStep(controller.signal.aborted ? { is: 'cancelled' } : { is: 'refused', refusal })
    }
  }
  return { step, start: () => void start(), cancel: () => running.current?.abort() }
}

async function readExport(signal: AbortSignal, tell: (bytes: number) => void): Promise<Blob> {
  const { body } = await request('GET', 'export', { signal })
  const pieces: Array<Uint8Array<ArrayBuffer>> = []
  const reader = body?.getReader()
  let bytes = 0
  for (;;) {
    const piece = await reader?.read()
    if (!piece?.value) return new Blob(pieces, { type: 'application/json' })
    pieces.push(piece.value)
    bytes += piece.value.length
    tell(bytes)
  }
}

function save(file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = NAME
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
