import type { ProjectView } from '../../features/tasks/projects/model'
import { useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import { WaitingMark } from '../parts/WaitingMark'
import { DueNote } from './DueNote'
import { projectTexts, valueTexts } from './texts'

/** What is worth knowing of a project beside its name. */
export function ProjectNotes({ project }: { readonly project: ProjectView }) {
  const m = useMessages(projectTexts)
  const values = useMessages(valueTexts)
  const { id, status, due_date: due, is_tracked: isTracked } = project
  return (
    <span className="line-notes">
      <span className="tag" data-status={status}>
        {values[status]}
      </span>
      <DueNote day={due} isDone={status === 'completed'} />
      {isTracked && (
        <span className="line-note">
          <Icon name="eye" />
          {m.tracked}
        </span>
      )}
      <WaitingMark record={{ kind: 'project', id }} />
    </span>
  )
}
