import { useCallback, useState } from 'react'
import type { ConfigView } from '../../features/administration/config/model'
import { refusalOf } from '../api/refusal'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { announce } from '../parts/messages-store'
import { Switch } from '../parts/Checkbox'
import { Answered } from '../security/Answered'
import { AdminLayout } from './AdminLayout'
import { configMessages, SWITCHES } from './config.messages'
import { changeConfig, readConfig } from './data'

const messages = defineMessages({
  en: {
    lead: 'These settings hold for everybody who uses this service. Each takes effect at once.',
  },
  de: {
    lead: 'Diese Einstellungen gelten für alle, die den Dienst benutzen. Jede gilt sofort.',
  },
})

/** What holds for the whole service. */
export function AdminSettingsPage() {
  return (
    <AdminLayout page="settings">
      <Config />
    </AdminLayout>
  )
}

function Config() {
  const m = useMessages(messages)
  const ask = useCallback(() => readConfig(), [])
  const asked = useAnswer(ask)
  return (
    <>
      <p className="settings-lead">{m.lead}</p>
      <Answered asked={asked}>{(config) => <Switches config={config} />}</Answered>
    </>
  )
}

function Switches({ config }: { readonly config: ConfigView }) {
  const m = useMessages(configMessages)
  const { sentence } = useRefusals()
  const [shown, setShown] = useState(config)
  const turn = async (name: keyof ConfigView, isOn: boolean) => {
    setShown((before) => ({ ...before, [name]: isOn }))
    try {
      await changeConfig({ [name]: isOn })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      setShown((before) => ({ ...before, [name]: !isOn }))
      announce({ text: sentence(refusal), isError: true })
    }
  }
  return SWITCHES.map((name) => (
    <Switch
      key={name}
      label={m[name]}
      hint={m[`${name}Hint`]}
      checked={shown[name]}
      onChange={(isOn) => void turn(name, isOn)}
    />
  ))
}
