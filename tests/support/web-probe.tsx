import { createRoot } from 'react-dom/client'
import { call } from '../../src/web/api/call'
import { Field } from '../../src/web/parts/Field'
import { useForm } from '../../src/web/parts/use-form'

/** Beside the whole client, a form that stands for any page on which something is typed, and the client's own way to ask. */
function Draft() {
  const form = useForm(async () => {})
  return (
    <form {...form.props}>
      <Field label="Draft" name="draft" />
    </form>
  )
}

const place = document.createElement('aside')
document.body.append(place)
createRoot(place).render(<Draft />)
Object.assign(globalThis, { call })
void import('../../src/web/main')
