import { useCallback } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { useWriting } from '../store/use-writing'
import { isDone } from './data'
import { changingTask } from './intents'
import { projectTexts } from './texts'

/** Returns a function that marks a task as done, or as open again. */
export function useToggling() {
  const m = useMessages(projectTexts)
  const write = useWriting()
  return useCallback(
    (task: SubtaskView) => {
      const said = isDone(task) ? m.open(task.title) : m.done(task.title)
      write(changingTask(task, { status: isDone(task) ? 'pending' : 'completed' }, said))
    },
    [m, write],
  )
}
