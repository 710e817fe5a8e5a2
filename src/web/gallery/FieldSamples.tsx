import { useState } from 'react'
import { Checkbox, Switch } from '../parts/Checkbox'
import { Combobox } from '../parts/Combobox'
import { Field } from '../parts/Field'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { TextArea } from '../parts/TextArea'
import { useSampleText } from './texts'

export function FieldSamples() {
  const t = useSampleText()
  return (
    <>
      <div className="gallery-columns">
        <Field label={t('Title')} placeholder={t('What is it?')} />
        <Field label={t('Start date')} hint={t('As 2026-11-23 or 23 November.')} defaultValue="2026-11-23" />
        <Field label={t('Start time')} defaultValue="25:00" problem={t('There is no such time.')} />
        <Field label={t('Disabled')} defaultValue={t('Cannot be changed')} disabled />
        <Field label={t('Read only')} defaultValue={t('Can be copied')} readOnly />
        <TextArea label={t('Notes')} defaultValue={t('Bring the key.\nRing twice.')} />
      </div>
      <Choices />
    </>
  )
}

const TIMES = Array.from({ length: 96 }, (_, quarter) => {
  const time = `${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}`
  return { value: time, label: time }
})

function Choices() {
  const t = useSampleText()
  const [time, setTime] = useState('09:00')
  const [calendar, setCalendar] = useState('home')
  const [view, setView] = useState('week')
  const options = (names: readonly string[]) =>
    names.map((name) => ({ value: name.toLowerCase(), label: t(name) }))
  const calendars = options(['Home', 'Work', 'Family'])
  const views = options(['Day', 'Week', 'Month', 'Agenda'])
  return (
    <div className="gallery-columns">
      <Select label={t('Calendar')} options={calendars} value={calendar} onChange={setCalendar} />
      <Combobox
        label={t('End time')}
        hint={t('Any time can be typed.')}
        options={TIMES}
        value={time}
        onChange={setTime}
        allowsOwn
      />
      <Combobox
        label={t('Person')}
        options={calendars}
        value=""
        onChange={setCalendar}
        problem={t('Choose one.')}
      />
      <div>
        <Checkbox label={t('All day')} hint={t('It has no times.')} />
        <Checkbox label={t('Ticked')} defaultChecked />
        <Checkbox label={t('Disabled')} disabled />
      </div>
      <div>
        <Switch label={t('Off')} hint={t('It holds as soon as it is turned.')} />
        <Switch label={t('On')} defaultChecked />
        <Switch label={t('Disabled and on')} disabled defaultChecked />
      </div>
      <RadioGroup label={t('Repeats')} options={views} value={view} onChange={setView} />
      <RadioGroup
        label={t('View')}
        look="segmented"
        hidesLabel
        options={views}
        value={view}
        onChange={setView}
      />
    </div>
  )
}
