import { useMessages } from '../messages/language'
import type { Progress } from './data'
import { projectTexts } from './texts'

/** How much of something is done, as a line and in words. */
export function ProgressBar({ progress }: { readonly progress: Progress | undefined }) {
  const m = useMessages(projectTexts)
  if (!progress || progress.total === 0) return <span className="progress-words">{m.noTasks}</span>
  const { done, total } = progress
  return (
    <span className="progress">
      <progress value={done} max={total} aria-hidden="true" />
      <span className="progress-words">{m.progress(done, total)}</span>
    </span>
  )
}
