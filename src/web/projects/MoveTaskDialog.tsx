import { useState } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { useMessages } from '../messages/language'
import { Select } from '../parts/Select'
import { useStore } from '../store/use-store'
import { PlaceDialog } from './PlaceDialog'
import { projectTexts, TASK_STATUSES, valueTexts } from './texts'
import { usePutting } from './use-task-actions'

interface MoveTaskDialogProps {
  readonly task: SubtaskView
  /** All tasks of the project, in the order of their siblings. */
  readonly tasks: readonly SubtaskView[]
  readonly onClose: () => void
}

/** Asks for another status, another task to belong to, and the place there. */
export function MoveTaskDialog({ task, tasks, onClose }: MoveTaskDialogProps) {
  const m = useMessages(projectTexts)
  const values = useMessages(valueTexts)
  const put = usePutting(tasks)
  const { ids } = useStore()
  // Somebody else may move it meanwhile.
  const [opened] = useState(task)
  const [status, setStatus] = useState(opened.status)
  const [chosenId, setParentId] = useState(opened.parent_task_id)
  const parentId = chosenId && ids.real(chosenId)
  const before = {
    ...opened,
    id: task.id,
    parent_task_id: opened.parent_task_id && ids.real(opened.parent_task_id),
  }
  const siblings = tasks.filter(({ parent_task_id: parent }) => parent === parentId)
  const others = siblings.filter(({ id }) => id !== task.id)
  const now = siblings.findIndex(({ id }) => id === task.id)
  return (
    <PlaceDialog
      key={String(chosenId)}
      name={task.title}
      others={others.map(({ title }) => title)}
      index={now < 0 ? others.length : now}
      onClose={onClose}
      onMove={(index) => put(before, { parentId, index }, status)}
    >
      <Select
        label={m.status}
        options={TASK_STATUSES.map((value) => ({ value, label: values[value] }))}
        value={status}
        onChange={setStatus}
      />
      <ParentSelect task={task} tasks={tasks} value={parentId} onChange={setParentId} />
    </PlaceDialog>
  )
}

interface ParentSelectProps {
  readonly task: SubtaskView
  readonly tasks: readonly SubtaskView[]
  readonly value: number | null
  readonly onChange: (parentId: number | null) => void
}

/** The task that a task belongs to. One that has subtasks belongs to none. */
export function ParentSelect({ task, tasks, value, onChange }: ParentSelectProps) {
  const m = useMessages(projectTexts)
  if (tasks.some(({ parent_task_id: parent }) => parent === task.id)) return null
  const parents = tasks.filter(({ id, parent_task_id: parent }) => parent === null && id !== task.id)
  const options = [
    { value: '', label: m.nothing },
    ...parents.map(({ id, title }) => ({ value: String(id), label: title })),
  ]
  return (
    <Select
      label={m.belongsTo}
      options={options}
      value={value === null ? '' : String(value)}
      onChange={(id) => onChange(id === '' ? null : Number(id))}
    />
  )
}
