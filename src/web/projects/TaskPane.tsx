import type { SubtaskView, TaskChanges } from '../../features/tasks/tasks/model'
import { pathOf } from '../api/call'
import { DetailHeading } from '../app/DetailLayout'
import { useDateForms } from '../events/use-date-forms'
import { History } from '../history/History'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { Select } from '../parts/Select'
import { isLocal } from '../store/commands'
import { useKeys } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { Comments } from './Comments'
import { shownDay, typedDay } from './due-date'
import { differing } from './differing'
import { changingTask } from './intents'
import { ParentSelect } from './MoveTaskDialog'
import type { ProjectTasksProps } from './shown-tasks'
import { SavedField } from './SavedField'
import { Subtasks } from './Subtasks'
import { PRIORITIES, projectTexts, TASK_STATUSES, valueTexts } from './texts'
import { usePutting } from './use-task-actions'

const messages = defineMessages({
  en: { changed: (title: string) => `Changed ${title}` },
  de: { changed: (title) => `${title} ist geändert` },
})

interface TaskPaneProps extends ProjectTasksProps {
  readonly task: SubtaskView
}

const TASK_FIELDS = ['title', 'description', 'status', 'priority', 'due_date', 'parent_task_id']

/** Everything about one task. Each field is saved by itself, as soon as it is left. */
export function TaskPane({ task, ...shown }: TaskPaneProps) {
  const m = useMessages(projectTexts)
  const key = useKeys('task')(task.id)
  const { tasks, actions } = shown
  return (
    <>
      <DetailHeading key={key}>{task.title}</DetailHeading>
      <TaskFields key={`fields ${key}`} task={task} tasks={tasks} />
      {task.parent_task_id === null && <Subtasks task={task} {...shown} />}
      <Comments key={`comments ${key}`} task={task} />
      <div className="pane-foot">
        {!isLocal(task.id) && (
          <History
            key={`history ${key}`}
            record={{ kind: 'task', id: task.id }}
            path={pathOf`projects/${task.project_id}/tasks/${task.id}`}
            title={task.title}
            fields={TASK_FIELDS}
          />
        )}
        <Button kind="quiet" onClick={() => actions.chooseMove(task)}>
          <Icon name="grip" />
          {m.moveTo}
        </Button>
        <Button kind="quiet" onClick={() => actions.remove(task)}>
          <Icon name="delete" />
          {m.delete}
        </Button>
      </div>
    </>
  )
}

function TaskFields({ task, tasks }: Pick<TaskPaneProps, 'task' | 'tasks'>) {
  const m = useMessages(projectTexts)
  const forms = useDateForms()
  const save = useSaving(task)
  const saveDay = (text: string, opened: SubtaskView) => {
    const day = typedDay(text, forms)
    if (day === undefined) return m.unreadDate
    return save({ due_date: day }, opened)
  }
  return (
    <div className="task-fields">
      <SavedField
        label={m.title}
        task={task}
        name="title"
        value={task.title}
        maxLength={200}
        onSave={(text, opened) => (text.trim() === '' ? m.missing : save({ title: text.trim() }, opened))}
      />
      <SavedField
        label={m.description}
        task={task}
        name="description"
        value={task.description ?? ''}
        maxLength={10_000}
        isLong
        onSave={(text, opened) => save({ description: text.trim() === '' ? null : text }, opened)}
      />
      <Choices task={task} />
      <SavedField
        label={m.dueDate}
        hint={m.dateHint}
        task={task}
        name="due_date"
        value={shownDay(task.due_date, forms)}
        maxLength={40}
        isDay
        onSave={saveDay}
      />
      <Belonging task={task} tasks={tasks} />
    </div>
  )
}

function Choices({ task }: Pick<TaskPaneProps, 'task'>) {
  const m = useMessages(projectTexts)
  const values = useMessages(valueTexts)
  const save = useSaving(task)
  return (
    <div className="project-form-row">
      <Select
        label={m.status}
        options={TASK_STATUSES.map((value) => ({ value, label: values[value] }))}
        value={task.status}
        onChange={(status) => save({ status })}
      />
      <Select
        label={m.priority}
        options={PRIORITIES.map((value) => ({ value, label: values[value] }))}
        value={task.priority}
        onChange={(priority) => save({ priority })}
      />
    </div>
  )
}

/** Returns a function that changes fields of a task and says so. */
function useSaving(task: SubtaskView) {
  const m = useMessages(messages)
  const write = useWriting()
  return (fields: TaskChanges, opened = task): undefined => {
    const changes = differing(opened, fields)
    if (changes) write(changingTask(opened, changes, m.changed(fields.title ?? task.title)))
  }
}

/** A task that goes to another one comes last there. */
function Belonging({ task, tasks }: Pick<TaskPaneProps, 'task' | 'tasks'>) {
  const put = usePutting(tasks)
  return (
    <ParentSelect
      task={task}
      tasks={tasks}
      value={task.parent_task_id}
      onChange={(parentId) => {
        const siblings = tasks.filter(({ parent_task_id: parent }) => parent === parentId)
        put(task, { parentId, index: siblings.length })
      }}
    />
  )
}
