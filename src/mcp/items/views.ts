import type { ProjectView } from '../../features/tasks/projects/model'
import type { ReminderView } from '../../features/tasks/reminders/model'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import type { TodoListView } from '../../features/tasks/todo-lists/model'
import type { TodoView } from '../../features/tasks/todos/model'
import { type AssistantItem, inZone, present, told, weekdayOf } from './item'

export const todoItem = (todo: TodoView): AssistantItem => ({
  type: 'todo',
  id: todo.id,
  version: todo.version,
  ...present({
    title: told(todo.title, null),
    description: told(todo.description, null),
    priority: todo.priority === 'none' ? null : todo.priority,
    due_date: todo.due_date,
    due_time: todo.due_time,
    weekday: weekdayOf(todo.due_date),
    category: todo.category,
    completed: todo.completed,
    recurrence: todo.recurrence,
    next_due_date: todo.next_due_date,
    list_id: todo.list_id,
  }),
})

export function reminderItem(zone: string, reminder: ReminderView): AssistantItem {
  const remindAt = inZone(zone, reminder.remind_at)
  const snoozedUntil = inZone(zone, reminder.snoozed_until)
  return {
    type: 'reminder',
    id: reminder.id,
    version: reminder.version,
    ...present({
      title: told(reminder.title, null),
      description: told(reminder.description, null),
      remind_at: remindAt,
      snoozed_until: snoozedUntil,
      weekday: weekdayOf(snoozedUntil ?? remindAt),
      recurrence_rule: reminder.recurrence_rule,
      is_dismissed: reminder.is_dismissed,
      is_active: reminder.is_active ? null : false,
    }),
  }
}

type TaskShown = SubtaskView & { readonly project_name?: string }

export const taskItem = (task: TaskShown): AssistantItem => ({
  type: 'task',
  id: task.id,
  version: task.version,
  ...present({
    title: told(task.title, null),
    description: told(task.description, null),
    status: task.status,
    priority: task.priority === 'none' ? null : task.priority,
    due_date: task.due_date,
    weekday: weekdayOf(task.due_date),
    project_id: task.project_id,
    project: task.project_name,
    parent_task_id: task.parent_task_id,
  }),
})

export const projectItem = (project: ProjectView): AssistantItem => ({
  type: 'project',
  id: project.id,
  version: project.version,
  ...present({
    title: told(project.name, null),
    description: told(project.description, null),
    status: project.status,
    due_date: project.due_date,
    weekday: weekdayOf(project.due_date),
    task_count: project.task_count,
    completed_task_count: project.completed_task_count,
  }),
})

export const todoListItem = (list: TodoListView): AssistantItem => ({
  type: 'todo_list',
  id: list.id,
  version: list.version,
  ...present({ title: told(list.name, null), is_default: list.is_default || null }),
})
